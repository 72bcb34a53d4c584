import Domain
import Engine
import Foundation
import Jobs
import Platform

extension Recognition {
  /// Looks at a job's files before they are read.
  package static let ofDeclaredFiles: any FileInspection = DeclaredFormats()
}

private struct DeclaredFormats: FileInspection {
  func names(of file: DeclaredFile, beginning: [UInt8], isWhole: Bool) throws -> [String] {
    try DeclaredFormat(file: file).check(beginning, isWhole: isWhole)
  }

  func check(names: [String], of file: DeclaredFile) throws { try DeclaredFormat(file: file).check(names: names) }
}

/// What a job says that a file is, held against what its beginning shows.
///
/// A file that is something else for certain is refused with the line to type, before its rows are rejected one by
/// one. One that is merely damaged is read: its rows are rejected.
private struct DeclaredFormat {
  let file: DeclaredFile

  private var input: TableInput { file.input }
  private var purchases: PurchaseFormat? { file.purchases }
  /// What the file calls the fields that a row needs.
  private var needed: [String] { file.needed.map(\.column) }

  func check(_ sample: [UInt8], isWhole: Bool) throws -> [String] {
    if let kind = ForeignFile(sample) { throw foreign(kind) }
    if let ends = oddLineEnds(sample) { throw ends.error(shellInput) }
    if isWhole, let target = copiedLink(sample) { throw copied(target) }
    let look = FileLook(sample, isWhole: isWhole, delimiter: input.delimiter)
    if let other = other(look) {
      throw OfferliftError(.badJobFile, "\(file.name) is declared as \(declared), but \(other) (\(file.jobLocation)).")
    }
    switch input.format {
    case .csv:
      if let legacy = legacy(sample, look) { throw OfferliftError(.badData, legacy) }
      return look.header + look.dottedColumns.sorted()
    case .jsonl: return look.members.reduce(into: look.dottedMembers) { $0.formUnion($1) }.sorted()
    case .mysql, .sqlite: return []
    }
  }

  func check(names: [String]) throws {
    let known = Set(names)
    guard let purchases, purchases != .events || !needed.allSatisfy({ DottedName.mayHold($0, known) }),
      PurchaseCatalog.format(of: known, in: .jsonl) != purchases,
      let found = PurchaseCatalog.format(of: known, in: .jsonl) ?? PurchaseCatalog.format(of: known, in: .csv),
      found != purchases
    else { return }
    throw OfferliftError(
      .badJobFile,
      "\(file.name) is declared as \(declared), but its rows are of another; say format: \(found.name) "
        + "(\(file.jobLocation)).")
  }

  /// The name of a file beside this one that is all this one holds: a link that a program has copied as a text.
  private func copiedLink(_ sample: [UInt8]) -> String? {
    guard (1...255).contains(sample.count), !file.path.isEmpty else { return nil }
    let name = String(decoding: sample, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    let path = (Folder.parent(of: file.path) as NSString).appendingPathComponent(name)
    guard !name.isEmpty, !name.contains("\n"), FileIdentity(ofFileAt: path)?.isFile == true else { return nil }
    return name
  }

  private func copied(_ target: String) -> OfferliftError {
    let name = file.name
    return OfferliftError(
      .badData,
      "\(name) holds nothing but the name of another file, \(target): it was a link once, and a program has copied it as a "
        + "text. Remove it, or make it a link again: ln -sf \(ShellText.quoted(target)) \(ShellText.quoted(name)).")
  }

  /// Line ends that are not read; nil where they are, or where a dialect says what they are.
  private func oddLineEnds(_ sample: [UInt8]) -> ForeignLineEnds? {
    switch input.format {
    case .sqlite: return nil
    case .csv: return ForeignLineEnds(firstOf: sample, outside: UInt8(ascii: "\""))
    case .jsonl: return ForeignLineEnds(firstOf: sample, outside: nil)
    case .mysql:
      // A text in a field may hold carriage returns as they are.
      guard input.dialect.linesTerminatedBy == nil else { return nil }
      let ends = ForeignLineEnds(firstOf: sample, outside: input.dialect.enclosedBy)
      if case .returns = ends {
        guard !sample.contains(0x0a), let columns = input.columnOrder?.count else { return nil }
        return sample.withText({ ForeignLineEnds.areReturns(in: $0, input.dialect, columns: columns) }) ? ends : nil
      }
      return ends
    }
  }

  /// The error of a file that is no text, or not in UTF-8.
  private func foreign(_ kind: ForeignFile) -> OfferliftError {
    OfferliftError(
      .badData, "\(file.name) is \(kind.name), which cannot be read as \(declared). \(kind.remedy(shellInput))")
  }

  /// What to do about a header whose names cannot be read because they are in another encoding; nil where they can.
  private func legacy(_ sample: [UInt8], _ look: FileLook) -> String? {
    let (header, named) = (Set(look.header), needed + input.columns.values)
    guard named.contains(where: { !DottedName.mayHold($0, header) }),
      header.contains(where: { $0.contains("\u{fffd}") }),
      let legacy = LegacyText(sample, isWhole: sample.count < inspectedBytes)
    else { return nil }
    let file = shellInput
    return legacy.remedy(file)
  }

  /// The file as a line to type has it. Only a file that is refused is looked at for it.
  private var shellInput: ShellInput {
    let name = file.name
    guard let source = try? ByteSource(path: file.path, displayName: name) else { return ShellInput(file: name) }
    return ShellInput(
      file: name, at: file.path, packing: source.packing, isUTF16: (try? source.isUTF16) ?? false)
  }

  private var declared: String { "format: \(purchases?.name ?? input.format.rawValue)" }

  /// What the file looks like instead, and what to type, as the end of a sentence; nil where it may be what it is
  /// said to be.
  private func other(_ look: FileLook) -> String? {
    switch input.format {
    case .jsonl:
      look.mislaid(
        shellInput, mayBeList: input.mayHoldLists, mayBeTables: purchases == nil || purchases == .events
      ).map { "it \($0)" }
        ?? (look.holdsObjects ? otherObjects(look) : noObjects(look))
    case .csv: objects(look) ?? otherTable(look)
    case .mysql: objects(look) ?? tableWithHeader(look)
    case .sqlite: "it is \(look.isObjects ? "JSON; say format: jsonl" : "text; say format: csv")"
    }
  }

  // MARK: - JSON

  /// JSON where a table was declared.
  private func objects(_ look: FileLook) -> String? {
    let format = purchases == nil ? "jsonl" : (look.purchaseFormat ?? .events).name
    if look.isObjects { return "it holds JSON objects; say format: \(format)" }
    return look.mislaid(shellInput).map { "it \($0), and say format: \(format)" }
  }

  /// No JSON where JSON was declared.
  private func noObjects(_ look: FileLook) -> String? {
    guard look.hasHeader, look.isEven || look.tableFormat != nil else { return nil }
    let columns = "it is a table with the columns \(MissingColumn.listed(look.header))"
    guard purchases != nil else { return "\(columns); say format: csv" }
    return "\(columns); say format: \((look.tableFormat ?? .eventsCSV).name)"
  }

  /// Objects of another format, none of the declared one's among them.
  private func otherObjects(_ look: FileLook) -> String? {
    if input.mayHoldLists, look.members.contains(where: { $0.contains(ListedRows.answer) }) { return nil }
    if purchases == nil || purchases == .events, let wrapper = look.wrapper(of: needed) {
      let rows = wrapper.isText ? "\(wrapper.member) | fromjson" : wrapper.member
      let command = shellInput.piped(into: "jq -c '\(rows)'")
      return "its rows stand within the member \(wrapper.name); write them by themselves: \(command) > FILE.jsonl"
    }
    if purchases == nil || purchases == .events, look.hasTypedValues(in: needed) {
      let plain =
        #"walk(if type == "object" and length == 1 and (keys[0] | startswith("$")) then .[keys[0]] else . end)"#
      let command = shellInput.piped(into: "jq -c '\(plain)'")
      return #"its values are objects of MongoDB, {"$date": …}; write plain ones: \#(command) > FILE.jsonl"#
    }
    guard let purchases, let found = look.purchaseFormat, found != purchases else { return nil }
    let isOwn = look.members.contains { members in needed.allSatisfy { DottedName.mayHold($0, members) } }
    if purchases == .events, isOwn { return nil }
    if look.members.contains(where: { PurchaseCatalog.format(of: $0, in: .jsonl) == purchases }) { return nil }
    return "its rows are of another; say format: \(found.name)"
  }

  // MARK: - Tables

  /// Another table than the one declared, whose header lacks what is needed.
  private func otherTable(_ look: FileLook) -> String? {
    let header = Set(look.header)
    guard needed.contains(where: { !DottedName.mayHold($0, header) }) else { return nil }
    if let purchases, let found = look.tableFormat, found != purchases {
      return "its columns are of another; say format: \(found.name)"
    }
    if let other = OtherTable(look, needed: needed, isLog: purchases != nil).words(shellInput) {
      return other
    }
    guard look.beginsWithData, needed.allSatisfy({ !DottedName.mayHold($0, header) }) else { return nil }
    let row = "its first row is data and names no columns"
    guard purchases == nil else { return "\(row); write a line above it that names them" }
    let dialect = look.delimiter == UInt8(ascii: "\t") ? "" : ", dialect: {terminated_by: '\(look.delimiterText)'}"
    let count = Phrase.count(look.header.count, "column")
    return "\(row); say format: mysql\(dialect) and columns: with its \(count) in order, [id, user, …]"
  }

  /// A header where the job says that there is none, or a CSV.
  private func tableWithHeader(_ look: FileLook) -> String? {
    guard let order = input.columnOrder, order.count > 1, !input.dialect.hasHeader else { return nil }
    let dialect = input.dialect
    let row = look.firstLine(cutBy: dialect.terminatedBy, enclosedBy: dialect.enclosedBy)
    if row.map({ $0.lowercased() }) == order.map({ $0.lowercased() }) {
      return "its first row names the columns; say header: true within dialect:"
    }
    guard look.hasHeader, look.isEven, !look.holds(dialect.terminatedBy) else { return nil }
    return "it is a CSV table with the columns \(MissingColumn.listed(look.header)); say format: csv"
  }

}

extension FileLook {
  fileprivate var delimiterText: String { delimiter.map { String(UnicodeScalar($0)) } ?? "," }

  /// The purchase format that most lines are of, and none of another; nil where there is none.
  var purchaseFormat: PurchaseFormat? {
    let found = members.compactMap { PurchaseCatalog.format(of: $0, in: .jsonl) }
    guard let first = found.first, found.count * 2 > members.count else { return nil }
    return found.allSatisfy { $0 == first } ? first : nil
  }

  /// The purchase format that the header shows; nil where it shows none.
  var tableFormat: PurchaseFormat? { PurchaseCatalog.format(of: Set(header), in: .csv) }
}
