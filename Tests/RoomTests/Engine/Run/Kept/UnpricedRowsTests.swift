import Testing

@testable import Domain
@testable import Engine

@Suite("Rows without an exchange rate that are kept")
struct UnpricedRowsTests {
  private static func reject(_ file: Int, _ line: Int) -> Reject {
    Reject(
      account: file, line: line, byteOffset: Int64(line * 90), reason: .noExchangeRate,
      detail: "no rate of JPY, for a day", excerpt: Array("{\"userId\":\"u\(line)\"".utf8))
  }

  private func rows(_ rejects: [Reject]) throws -> UnpricedRows {
    let all = UnpricedRejects()
    return try UnpricedRows(rejects.map { all.add($0) }, of: all)
  }

  private func bytes(_ rows: UnpricedRows) -> [UInt8] {
    let column = ColumnWriter()
    rows.write(to: column)
    var bytes: [UInt8] = []
    column.add(to: &bytes)
    return bytes
  }

  private func read(_ bytes: [UInt8], files: Int) throws -> UnpricedRows {
    try bytes.withText { text in
      var reader = ColumnReader(text)
      return try UnpricedRows(&reader, files: files)
    }
  }

  @Test("Are read as they were written, of files that there are")
  func column() throws {
    let written = bytes(try rows([Self.reject(0, 3), Self.reject(2, 1)]))
    #expect(bytes(try read(written, files: 3)) == written)
    #expect(throws: BlockFault.self) { try read(written, files: 2) }
    #expect(throws: BlockFault.self) { try read(Array(written.dropLast()), files: 3) }
  }

  @Test("Those of some users are exchanged, and only those that are there")
  func exchange() throws {
    var all = try rows([Self.reject(0, 3), Self.reject(0, 4), Self.reject(1, 1)])
    try all.exchange(rows([Self.reject(0, 4)]), for: rows([Self.reject(0, 7), Self.reject(1, 2)]))
    #expect(
      bytes(all) == bytes(try rows([Self.reject(0, 3), Self.reject(0, 7), Self.reject(1, 1), Self.reject(1, 2)])))
    #expect(throws: Inseparable.self) { try all.exchange(rows([Self.reject(0, 4)]), for: rows([])) }
    #expect(throws: Inseparable.self) { try all.exchange(rows([]), for: rows([Self.reject(0, 3)])) }
  }

  @Test("Files that have other numbers have theirs in every line")
  func renumbered() throws {
    let before = try rows([Self.reject(0, 3), Self.reject(1, 1)])
    #expect(bytes(before.renumbered([2, 0])) == bytes(try rows([Self.reject(2, 3), Self.reject(0, 1)])))
  }
}
