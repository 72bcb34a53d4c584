import Domain
import Engine
import Jobs
import Platform

/// What the first lines of a file show of how it is written.
struct FileLook {
  /// The first lines that are not blank, as far as they were seen whole.
  private let lines: [[UInt8]]
  /// What parts the first line's cells; nil where nothing does.
  let delimiter: UInt8?
  /// The names of each line's members.
  let members: [Set<String>]
  /// The tables in a file that is one object of several; empty of others.
  private let tables: [String]

  private static let lineLimit = 50
  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// - Parameters:
  ///   - bytes: the beginning of the file, unpacked.
  ///   - isWhole: the file ends with them.
  ///   - delimiter: of cells, where the job tells it; else of `,` `;` and tab the one that stands most often.
  init(_ bytes: some Collection<UInt8>, isWhole: Bool, delimiter: UInt8? = nil) {
    let sample = Array(bytes.prefix(inspectedBytes))
    let isCut = sample.count < bytes.count || !isWhole
    var lines = sample.split(separator: 0x0a, omittingEmptySubsequences: false)
    // Of one line alone its beginning shows enough.
    if isCut, lines.count > 1 { lines.removeLast() }
    let whole = lines.map { Self.withoutMark($0.last == 0x0d ? $0.dropLast() : $0) }.filter { line in
      line.contains { $0 > 0x20 }
    }
    self.lines = Array(whole.prefix(Self.lineLimit))
    members = self.lines.map { Set(ObjectMembers($0).names) }
    let mayBeOne = self.lines.count == 1 || self.lines.first.map { $0.count < 3 } ?? false
    tables = mayBeOne ? TablesInObject(sample)?.names ?? [] : []
    self.delimiter = delimiter ?? Self.delimiter(of: whole.first ?? [])
  }

  /// A line without the byte order mark that a shard may have brought with it.
  private static func withoutMark(_ line: ArraySlice<UInt8>) -> [UInt8] {
    Array(line.starts(with: byteOrderMark) ? line.dropFirst(byteOrderMark.count) : line)
  }

  // MARK: - JSON

  /// Every line begins as a JSON object does.
  var isObjects: Bool {
    !lines.isEmpty
      && lines.allSatisfy { line in
        let marks = line.lazy.filter { $0 > 0x20 }.prefix(2)
        return marks.elementsEqual("{\"".utf8) || marks.elementsEqual("{}".utf8)
      }
  }

  /// Some line begins as a JSON object does.
  var holdsObjects: Bool { lines.contains { $0.first { $0 > 0x20 } == UInt8(ascii: "{") } }

  /// All of it is one array of objects, as programs write it that do not write lines.
  private var isArray: Bool {
    let marks = lines.prefix(2).joined().lazy.filter { $0 > 0x20 }.prefix(2)
    return marks.elementsEqual("[{".utf8) && !standsAlone
  }

  /// Most lines are an object with a comma behind it.
  private var hasCommas: Bool {
    guard lines.first?.first == UInt8(ascii: "{") else { return false }
    let marked = lines.count { line in
      let end = line.reversed().lazy.filter { $0 > 0x20 }.prefix(2)
      return end.elementsEqual(",}".utf8)
    }
    return marked > 0 && marked * 2 >= lines.count
  }

  /// Objects stand on several lines each.
  private var isSpread: Bool {
    lines.count > 1 && lines[0].filter { $0 > 0x20 }.elementsEqual("{".utf8)
      && lines[1].first { $0 > 0x20 } == UInt8(ascii: "\"") && !standsAlone
  }

  /// How objects lie in the file if not one a line, and what to type, as the end of a sentence; nil where they may.
  ///
  /// - Parameters:
  ///   - mayBeList: an array of objects is read as it is.
  ///   - mayBeTables: the file's objects have no arrays of objects by rights.
  func mislaid(
    _ input: @autoclosure () -> ShellInput, mayBeList: Bool = false, mayBeTables: Bool = true
  ) -> String? {
    if isArray, !mayBeList {
      return "is one JSON array; write one object a line: \(input().piped(into: "jq -c '.[]'")) > FILE.jsonl"
    }
    if lines.first?.first == 0x1e {
      return "has a record separator (RS) before each object; leave them out: "
        + #"\#(input().fed(into: #"tr -d '\036'"#)) > FILE.jsonl"#
    }
    if hasCommas {
      return "has a comma behind each object; leave them out: "
        + "\(input().piped(into: "sed 's/,[[:space:]]*$//'")) > FILE.jsonl"
    }
    if !tables.isEmpty, !mayBeList, mayBeTables, purchaseFormat == nil { return ofTables(input()) }
    if isSpread {
      return "has objects on several lines each; write one a line: \(input().piped(into: "jq -c .")) > FILE.jsonl"
    }
    return nil
  }

  private func ofTables(_ input: ShellInput) -> String {
    let commands = tables.prefix(4).map { name in
      let member = name.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") } ? ".\(name)" : ".[\"\(name)\"]"
      return "\(input.piped(into: "jq -c '\(member)[]'")) > \(ShellText.word("\(name).jsonl"))"
    }
    return
      "is one JSON object of \(Phrase.list(tables.map { "\"\($0)\"" })); write the rows of the one that is meant, one object a "
      + "line: \(commands.joined(separator: "; "))"
  }

  /// Behind the first line, some line is an object by itself, and not the last of an array: whatever is wrong with
  /// the first line, the file has an object a line.
  private var standsAlone: Bool {
    lines.indices.dropFirst().contains { number in
      let isObject = lines[number].first == UInt8(ascii: "{") && lines[number].last == UInt8(ascii: "}")
      let isLast = number + 1 < lines.count && lines[number + 1].first { $0 > 0x20 } == UInt8(ascii: "]")
      return isObject && !isLast
    }
  }

  /// The lines that begin as a JSON object does, from there on.
  var objects: [[UInt8]] {
    lines.map { Array($0.drop { $0 <= 0x20 }) }.filter { $0.first == UInt8(ascii: "{") }
  }

  /// Names of members inside others, objects or JSON in a text, as a job may write them: `data.price`.
  var dottedMembers: Set<String> {
    lines.reduce(into: Set()) { $0.formUnion(ObjectMembers($1).dottedNames) }
  }

  /// The same of cells that hold JSON, by the columns of a table.
  var dottedColumns: Set<String> {
    guard let delimiter, lines.count > 1 else { return [] }
    let rows = (try? CSVRecords.parse(Array(lines.prefix(20).joined(separator: [0x0a])), delimiter: delimiter)) ?? []
    guard let header = rows.first?.fields else { return [] }
    return rows.dropFirst().reduce(into: Set()) { names, row in
      for (column, cell) in zip(header, row.fields) where cell.first(where: { !$0.isWhitespace }) == "{" {
        let object = ObjectMembers(Array(cell.utf8))
        names.formUnion((object.names + object.dottedNames).map { "\(column).\($0)" })
      }
    }
  }

  /// The members of objects that stand a line each, by their names, those of objects inside by dotted ones: the names on the
  /// way to each.
  static func memberPaths(of bytes: [UInt8]) -> [String: [String]] {
    let lines = bytes.split(separator: 0x0a)
    // The last line may be cut.
    let whole = lines.filter { line in line.last { $0 > 0x20 } == UInt8(ascii: "}") }
    return whole.reduce(into: [:]) { paths, line in add(ObjectMembers(Array(line)), behind: [], to: &paths) }
  }

  /// Objects lie no deeper within each other than this in what is looked at.
  private static let depthLimit = 4
  private static let pathLimit = 500

  private static func add(_ object: ObjectMembers, behind path: [String], to paths: inout [String: [String]]) {
    for (name, value) in zip(object.names, object.values) {
      if value.first == UInt8(ascii: "{"), path.count < depthLimit {
        add(ObjectMembers(value), behind: path + [name], to: &paths)
      } else if paths.count < pathLimit {
        let path = path + [name]
        let dotted = path.joined(separator: ".")
        // A name that itself has dots comes first.
        if paths[dotted].map({ $0.count > path.count }) ?? true { paths[dotted] = path }
      }
    }
  }

  // MARK: - Tables

  /// The cells of the first line, without quotes.
  var header: [String] {
    guard let first = lines.first else { return [] }
    return Self.cells(first, by: delimiter ?? UInt8(ascii: ","))
  }

  /// The columns that can be named: cells behind the last name, as spreadsheets leave them, have none, and of two of one
  /// name nobody can say which is meant.
  var columns: [String] {
    let counts = Dictionary(header.map { ($0, 1) }, uniquingKeysWith: +)
    return header.filter { !$0.isEmpty && counts[$0] == 1 }
  }

  /// No cell of the first line has anything in it.
  var isEmpty: Bool { header.allSatisfy(\.isEmpty) }

  /// What the first line's cells are if another byte parts them; empty where it does not stand there.
  func header(partedBy mark: UInt8) -> [String] {
    guard let first = lines.first, first.contains(mark) else { return [] }
    return Self.cells(first, by: mark)
  }

  /// The first lines, one at least, begin with a mark of comments.
  var beginsWithComments: Bool { lines.first?.first { $0 > 0x20 } == UInt8(ascii: "#") }

  private static func delimiter(of line: [UInt8]) -> UInt8? {
    let counts = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].map { mark in
      (mark, line.count { $0 == mark })
    }
    return counts.filter { $0.1 > 0 }.max { $0.1 < $1.1 }?.0
  }

  /// The first line names columns, two at least: none of its cells is a number, a time, or empty.
  var hasHeader: Bool {
    delimiter != nil && !holdsObjects && header.allSatisfy(Self.isName)
  }

  /// The first line is a row of data: a cell of it is a number, a time or a NULL.
  var beginsWithData: Bool {
    header.contains(where: MissingColumn.isData)
  }

  /// There are several lines, and all have as many cells as the first.
  var isEven: Bool { delimiter.map { isEven(by: $0) } ?? false }

  /// The same where another byte parts cells.
  func isEven(by mark: UInt8) -> Bool {
    lines.count > 1 && Set(lines.map { line in line.count { $0 == mark } }).count == 1
  }

  /// Some line holds the bytes.
  func holds(_ mark: [UInt8]) -> Bool {
    lines.contains { line in
      line.indices.contains { line[$0] == mark.first && line[$0...].starts(with: mark) }
    }
  }

  /// The first line's cells, cut by a separator of any length.
  func firstLine(cutBy separator: [UInt8], enclosedBy quote: UInt8?) -> [String] {
    var cells: [[UInt8]] = [[]]
    var rest = (lines.first ?? [])[...]
    while let byte = rest.first {
      if rest.starts(with: separator), !separator.isEmpty {
        cells.append([])
        rest = rest.dropFirst(separator.count)
      } else {
        if byte != quote { cells[cells.count - 1].append(byte) }
        rest = rest.dropFirst()
      }
    }
    return cells.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func cells(_ line: [UInt8], by delimiter: UInt8) -> [String] {
    var isQuoted = false
    let cells = line.split(omittingEmptySubsequences: false) { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == delimiter && !isQuoted
    }
    return cells.map { cell in String(decoding: cell.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self) }
  }

  private static func isName(_ cell: String) -> Bool {
    guard let first = cell.unicodeScalars.first, cell.utf8.count <= 64 else { return false }
    return first.properties.isAlphabetic || first == "_" || first == "$"
  }
}
