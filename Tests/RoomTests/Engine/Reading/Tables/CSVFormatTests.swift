import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("CSV")
struct CSVFormatTests {
  /// Rows of a table whose columns a and b are read.
  private func read(_ text: String, delimiter: UInt8? = nil, step: Int = .max) throws -> [PlainRow] {
    try rows(text, as: CSVFormat(binding: columns(["a", "b"]), delimiter: delimiter), width: 2, step: step)
  }

  @Test(
    "A field is read as RFC 4180 has it",
    arguments: [
      ("x,y", ["x", "y"]), ("x,", ["x", nil]), (",y", [nil, "y"]), (",", [nil, nil]), (" x , y ", [" x ", " y "]),
      (#""x","y""#, ["x", "y"]), (#""x",y"#, ["x", "y"]), (#"x,"y""#, ["x", "y"]), (#""","#, [nil, nil]),
      (#","""#, [nil, nil]), (#""a,b","c;d""#, ["a,b", "c;d"]), (#""say ""hi""",y"#, [#"say "hi""#, "y"]),
      (#""""""",y"#, [#""""#, "y"]), (#"x,"""""#, ["x", #"""#]), (#"x,"""""""#, ["x", #""""#]), (#"x,"""y"#, nil),
      ("\"x\ny\",z", ["x\ny", "z"]), ("\"x\r\ny\",z", ["x\r\ny", "z"]), ("\"\n\n\",z", ["\n\n", "z"]),
      (#"x"y,z"#, [#"x"y"#, "z"]), (#"x,y""#, ["x", #"y""#]), (#" "x",y"#, [#" "x""#, "y"]),
      ("é,😀", ["é", "😀"]), ("=1+2,-3", ["=1+2", "-3"]), ("NULL,\\N", ["NULL", nil]), (#"NULL,"\N""#, ["NULL", "\\N"]),
      (#"\N,\NN"#, [nil, "\\NN"]),
      ("x\u{0}y,z", ["x\u{0}y", "z"]), ("x\ry,z", ["x\ry", "z"]), (#""x"y,z"#, nil), (#""x" ,z"#, nil),
      (#""x"""y,z"#, nil), ("x", nil), ("x,y,z", nil), ("x,y,", nil),
    ] as [(String, [String?]?)])
  func fields(line: String, values: [String?]?) throws {
    let found = try read("a,b\n\(line)\nlast,row\n")
    if let values {
      #expect(found.map(\.fields) == [values, ["last", "row"]])
    } else {
      #expect(found.first?.fault == .malformed)
    }
  }

  @Test("Columns are bound by name: order is free, others are ignored, and none is a missing field")
  func binding() throws {
    #expect(try read("z,b,y,a\n1,2,3,4\n").map(\.fields) == [["4", "2"]])
    #expect(try read("b\n2\n").map(\.fields) == [[nil, "2"]])
    #expect(try read("z,y\n1,2\n").map(\.fields) == [[nil, nil]])
    #expect(try read("\"a\",\"b\"\n1,2\n").map(\.fields) == [["1", "2"]])
    // Names are their bytes: neither case nor blanks nor composition is forgiven.
    #expect(try read("A, b\n1,2\n").map(\.fields) == [[nil, nil]])
  }

  @Test("A needed column that is missing, or there twice, is an error of the job", arguments: ["a,c", "a,b,b", "a"])
  func missingColumn(header: String) {
    let needed = columns(["a", "b"], isRequired: true)
    let error = #expect(throws: OfferliftError.self) {
      try rows("\(header)\n1,2\n", as: CSVFormat(binding: needed, delimiter: nil), width: 2)
    }
    #expect(error?.exit == .badJobFile)
    #expect(error?.message.hasPrefix("table.csv, line 1: ") == true)
    #expect(error?.message.contains("\"b\"") == true)
  }

  @Test("A missing column's error names the columns there are, the nearest, and where to change it")
  func missingColumnMessage() {
    let needed = columns(["user_id"], isRequired: true)
    let error = #expect(throws: OfferliftError.self) {
      try rows("usr_id,group\n", as: CSVFormat(binding: needed, delimiter: nil), width: 1)
    }
    #expect(
      error?.message
        == "table.csv, line 1: there is no column \"user_id\"; its columns are \"usr_id\", \"group\". "
        + "Did you mean \"usr_id\"? Name the right one under columns: (job.yml, line 7).")
  }

  @Test(
    "The delimiter is told from the header",
    arguments: [
      ("a,b\n1,2\n", ["1", "2"]), ("a;b\n1;2\n", ["1", "2"]), ("a\tb\n1\t2\n", ["1", "2"]),
      ("a;b;\"x,y,z,u\"\n1;2;3\n", ["1", "2"]), ("a;b;c,d\n1;2;3\n", ["1", "2"]), ("a\n1,2\n", nil),
      ("\"a\";\"b\"\n\"1;1\";2\n", ["1;1", "2"]), ("a;b\n1,5;2,5\n", ["1,5", "2,5"]),
    ] as [(String, [String?]?)])
  func sniffing(text: String, values: [String?]?) throws {
    for step in [1, 2, 3, 5, .max] {
      let found = try read(text, step: step)
      #expect(found.count == 1)
      if let values {
        #expect(found.first?.fields == values, "step \(step)")
      } else {
        #expect(found[0].fault == .malformed)
      }
    }
  }

  @Test("A delimiter the job names is taken, whatever the header looks like")
  func givenDelimiter() throws {
    #expect(try read("a|b\n1|2,3;4\n", delimiter: UInt8(ascii: "|")).map(\.fields) == [["1", "2,3;4"]])
    #expect(try read("a;b\n1;2\n", delimiter: UInt8(ascii: ",")).map(\.fields) == [[nil, nil]])
  }

  @Test("Line ends are LF or CRLF, and the last may be missing", arguments: ["\n", "\r\n"])
  func lineEnds(end: String) throws {
    for last in ["", end] {
      for line in ["1,2", "\"1\",\"2\""] {
        let found = try read(["a,b", line, line].joined(separator: end) + last)
        #expect(found.map(\.fields) == [["1", "2"], ["1", "2"]])
        #expect(found.map(\.line) == [2, 3])
        #expect(found.map(\.offset) == [Int64(3 + end.utf8.count), Int64(3 + line.utf8.count + 2 * end.utf8.count)])
      }
    }
  }

  @Test("Blank lines are not rows, but count as lines")
  func blankLines() throws {
    let found = try read("\n\r\na,b\n\n1,2\n \n\r\n3,4\n\n")
    #expect(found.map(\.fields) == [["1", "2"], ["3", "4"]])
    #expect(found.map(\.line) == [5, 8])
    for text in ["", "\n", "\r\n\n", "  ", "a,b", "a,b\n", "a,b\n\n \n"] { #expect(try read(text).isEmpty, "\(text)") }
  }

  @Test("Lines inside quotes count as lines")
  func linesInQuotes() throws {
    let found = try read("a,b\n\"1\n1\n1\",\"2\"\n\"3\r\n\",4\n5,6\n")
    #expect(found.map(\.line) == [2, 5, 7])
    #expect(found.last?.fields == ["5", "6"])
  }

  @Test("A row with a quote that is not closed is one reject, and ends with its first line")
  func unclosedQuote() throws {
    let found = try read("a,b\n1,2\n3,\"4\n5,6\n7,8\n")
    #expect(found.map(\.fault) == [nil, .malformed, nil, nil])
    #expect(found.map(\.line) == [2, 3, 4, 5])
    #expect(try read("a,b\n\"").map(\.fault) == [.malformed])
    #expect(try read("a,b\n\"\"\"").map(\.fault) == [.malformed])
    #expect(try read("a,b\n1,\"2\"x\n3,4").map(\.fault) == [.malformed, nil])
  }

  @Test("A header that is not CSV stops the run", arguments: ["\"a,b\n1,2\n", "\"a\"x,b\n1,2\n"])
  func damagedHeader(text: String) {
    let error = #expect(throws: OfferliftError.self) { try read(text) }
    #expect(error?.exit == .badData)
    #expect(error?.message.hasPrefix("table.csv, line 1: ") == true)
  }

  @Test("Ragged rows are rejected with both counts")
  func ragged() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("t.csv", "a,b\n1\n1,2\n1,2,3\n")
    let account = try reading(file, as: CSVFormat(binding: columns(["a"]), delimiter: nil), width: 1).reading
    #expect(
      account.rejects.all.map(\.detail) == ["the row has 1 fields, the header 2", "the row has 3 fields, the header 2"])
    #expect(account.rejects.all.map(\.line) == [2, 4])
    #expect(account.account.isBalanced)
  }

  @Test("Bytes that are not UTF-8 spoil their own row alone")
  func invalidUTF8() throws {
    let text = Array("a,b\n1,é\n".utf8) + [0x33, 0x2c, 0xe9, 0x0a] + Array("5,6\n".utf8)
    let found = try rows(text, as: CSVFormat(binding: columns(["a", "b"]), delimiter: nil), width: 2)
    #expect(found.map(\.fault) == [nil, .invalidUTF8, nil])
  }

  @Test("A byte order mark is no part of the first column's name")
  func byteOrderMark() throws {
    let folder = try TemporaryFolder()
    for header in ["a,b", "\"a\",b"] {
      let file = try folder.write("t.csv", [0xef, 0xbb, 0xbf] + Array("\(header)\n1,2\n".utf8))
      let binding = columns(["a", "b"], isRequired: true)
      let found = try reading(file, as: CSVFormat(binding: binding, delimiter: nil), width: 2).rows
      #expect(found.map(\.fields) == [["1", "2"]])
    }
  }

  @Test("Rows longer than a MiB are set aside, quoted or not, and the next is read", arguments: [1, 2, 3])
  func tooLong(mebibytes: Int) throws {
    let folder = try TemporaryFolder()
    for quote in ["", "\""] {
      let long = quote + String(repeating: "x", count: mebibytes << 20) + quote
      let file = try folder.write("t.csv", "a,b\n1,2\n\(long),3\n4,5\n")
      let format = CSVFormat(binding: columns(["a", "b"]), delimiter: nil)
      let (rows, reading) = try reading(file, as: format, width: 2)
      #expect(rows.filter { $0.fault == nil }.map(\.fields) == [["1", "2"], ["4", "5"]])
      #expect(reading.account.setAside == [.lineTooLong: 1])
      #expect(reading.account.isBalanced)
    }
  }

  @Test("Where a window ends changes nothing", arguments: 1...30)
  func windows(step: Int) throws {
    let text = [
      "a,b", "1,2", "", "\"x\r\ny\",\"q\"\"q\"", "\"3\",", ",\"\"", "\"\"\"\",\"\"\"\"\r", "\"4\"x,5", "6", "é,😀", " ",
      "7,\"8",
    ].joined(separator: "\n")
    #expect(try read(text, step: step) == read(text))
  }

  @Test("A damaged row is one reject, wherever a window ends", arguments: 1...12)
  func damagedRowAcrossWindows(step: Int) throws {
    let text = "a,b\n1,2\n\"x\"y and much more behind it,3\n4,5\n"
    #expect(try read(text, step: step).map(\.fault) == [nil, .malformed, nil])
  }

  @Test("Random tables come back, however they are quoted and wherever windows end")
  func randomTables() throws {
    let seed: UInt64 = 41_80
    var random = Dice(seed: seed)
    let texts = ["", "x", "7.99", "a,b", "a;b", "\"", "\"\"", "line\nbreak", "cr\r\nlf", "é", " ", "tab\t", "😀", "'"]
    for round in 0..<150 {
      let delimiter = random.pick([",", ";", "\t"])
      let end = random.pick(["\n", "\r\n"])
      let table = (0..<random.below(8)).map { _ in (0..<3).map { _ in random.pick(texts) } }
      func encoded(_ text: String) -> String {
        let mustQuote = text.utf8.contains { Array("\"\n\r\(delimiter)".utf8).contains($0) }
        guard mustQuote || random.chance(0.3) else { return text }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
      }
      let lines = [["a", "b", "c"]] + table
      let text =
        lines.map { $0.map(encoded).joined(separator: delimiter) }.joined(separator: end)
        + (random.chance(0.5) ? end : "")
      let format = CSVFormat(binding: columns(["a", "b", "c"], isRequired: true), delimiter: nil)
      let found = try rows(text, as: format, width: 3, step: 1 + random.below(40))
      let expected = table.map { $0.map { $0.isEmpty ? nil : $0 } }
      #expect(found.map(\.fields) == expected, "seed \(seed), round \(round): \(text)")
    }
  }

  @Test("Any bytes are read as the plain reader reads them, wherever windows end")
  func againstPlainReader() throws {
    let seed: UInt64 = 1_117
    var random = Dice(seed: seed)
    let alphabet = Array("\"\"\",,\n\n\r xé".utf8) + [0xff]
    for round in 0..<1500 {
      let bytes = Array("a,b\n".utf8) + random.bytes(random.below(40), from: alphabet)
      let expected = PlainCSV.rows(bytes)
      for step in [1 + random.below(6), .max] {
        let format = CSVFormat(binding: columns(["a", "b"]), delimiter: UInt8(ascii: ","))
        // Bytes whose lines end with a carriage return alone are refused as a whole.
        guard let found = try? rows(bytes, as: format, width: 2, step: step) else {
          #expect(bytes.contains(0x0d))
          continue
        }
        #expect(
          found == expected, "seed \(seed), round \(round), step \(step): \(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }
}

/// A reader of two columns that is slow and obvious: it looks at one row at a time, from the whole file.
enum PlainCSV {
  static func rows(_ bytes: [UInt8]) -> [PlainRow] {
    var found: [PlainRow] = []
    var start = 0
    while start < bytes.count {
      let lineEnd = bytes[start...].firstIndex(of: 0x0a) ?? bytes.count
      if bytes[start..<lineEnd].allSatisfy({ $0 == 0x20 || $0 == 0x0d }) {
        start = lineEnd + 1
        continue
      }
      // The file's own header between its rows is that of a joined shard.
      if start > 0, bytes[start..<lineEnd].reversed().drop(while: { $0 == 0x0d }).reversed() == Array("a,b".utf8) {
        start = lineEnd + 1
        continue
      }
      let row = row(bytes, start)
      let end = row?.end ?? min(lineEnd + 1, bytes.count)
      if start > 0 { found.append(plainRow(bytes, start..<end, row?.fields)) }
      start = end
    }
    return found
  }

  private static func plainRow(_ bytes: [UInt8], _ range: Range<Int>, _ fields: [[UInt8]]?) -> PlainRow {
    var content = bytes[range]
    while content.last == 0x0a || content.last == 0x0d { content.removeLast() }
    let line = 1 + bytes[..<range.lowerBound].count { $0 == 0x0a }
    var row = PlainRow(line: line, offset: Int64(range.lowerBound), fault: nil, fields: [])
    if String(validating: content, as: UTF8.self) == nil {
      row.fault = .invalidUTF8
    } else if let fields, fields.count == 2 {
      row.fields = fields.map { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
    } else {
      row.fault = .malformed
    }
    return row
  }

  /// The fields of the row at `start` and where the next begins; nil where its quotes make no sense.
  private static func row(_ bytes: [UInt8], _ start: Int) -> (fields: [[UInt8]], end: Int)? {
    var fields: [[UInt8]] = []
    var at = start
    while true {
      var field: [UInt8] = []
      if at < bytes.count, bytes[at] == UInt8(ascii: "\"") {
        at += 1
        while true {
          guard at < bytes.count else { return nil }
          if bytes[at] == UInt8(ascii: "\"") {
            guard at + 1 < bytes.count, bytes[at + 1] == bytes[at] else { break }
            at += 1
          }
          field.append(bytes[at])
          at += 1
        }
        at += 1
        let rest = bytes[at...].drop { $0 == 0x0d }
        if rest.first ?? 0x0a == 0x0a { at = rest.startIndex }
        guard at == bytes.count || bytes[at] == 0x0a || bytes[at] == UInt8(ascii: ",") else { return nil }
      } else {
        while at < bytes.count, bytes[at] != 0x0a, bytes[at] != UInt8(ascii: ",") {
          field.append(bytes[at])
          at += 1
        }
        if at == bytes.count || bytes[at] == 0x0a { while field.last == 0x0d { field.removeLast() } }
      }
      fields.append(field)
      guard at < bytes.count else { return (fields, at) }
      at += 1
      if bytes[at - 1] == 0x0a { return (fields, at) }
    }
  }
}
