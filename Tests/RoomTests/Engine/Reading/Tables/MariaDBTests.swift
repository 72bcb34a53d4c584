import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Publishing

/// What a MariaDB holds and wrote, as `Tests/Oracles/mariadb.py` asked it.
private struct MariaDB: Decodable {
  var version: String
  var tables: [String: Table]
  var exports: [Export]

  struct Table: Decodable {
    var columns: [String]
    /// The values' bytes; nil for NULL.
    var rows: [[Data?]]
  }

  struct Export: Decodable, CustomStringConvertible {
    var table: String
    /// The exported columns; nil where the first row names them.
    var columns: [String]?
    var dialect: Dialect
    var bytes: Data

    var description: String { "\(table) \(dialect)" }
  }

  struct Dialect: Decodable, CustomStringConvertible {
    var terminated_by: String
    var enclosed_by: String
    var escaped_by: String
    var optionally: Bool
    var lines_terminated_by: String
    var lines_starting_by: String

    /// A job that says so is refused.
    var isRefused: Bool { !enclosed_by.isEmpty && escaped_by.isEmpty }
    /// Nothing that a text holds can be taken for anything else.
    var isCertain: Bool { !escaped_by.isEmpty && escaped_by != enclosed_by }
    var showsLineEnds: Bool { ["\n", "\r\n"].contains(lines_terminated_by) }

    var description: String {
      "fields \(terminated_by.debugDescription) \(optionally ? "optionally " : "")enclosed \(enclosed_by) "
        + "escaped \(escaped_by) lines \(lines_starting_by)\(lines_terminated_by.debugDescription)"
    }

    func dialect(reportsLineEnds: Bool, hasHeader: Bool) -> MySQLDialect {
      var dialect = MySQLDialect()
      dialect.terminatedBy = Array(terminated_by.utf8)
      dialect.enclosedBy = enclosed_by.utf8.first
      dialect.escapedBy = escaped_by.utf8.first
      dialect.isOptional = optionally
      dialect.linesStartingBy = Array(lines_starting_by.utf8)
      dialect.linesTerminatedBy = reportsLineEnds ? Array(lines_terminated_by.utf8) : nil
      dialect.hasHeader = hasHeader
      return dialect
    }
  }

  static let wrote: MariaDB = {
    let decoder = JSONDecoder()
    decoder.dataDecodingStrategy = .base64
    // A fixture that is not there fails every test that asks for it.
    return (try? Data(contentsOf: repository.appending(path: "Tests/Oracles/mariadb.json")))
      .flatMap { try? decoder.decode(MariaDB.self, from: $0) } ?? MariaDB(version: "", tables: [:], exports: [])
  }()
}

@Suite("The bytes a MariaDB wrote")
struct MariaDBTests {
  /// A row as bytes: composed and decomposed letters differ.
  private typealias Cells = [[UInt8]?]

  private func expected(_ export: MariaDB.Export) throws -> [Cells] {
    let table = try #require(MariaDB.wrote.tables[export.table])
    let columns = export.columns ?? table.columns
    let positions = try columns.map { try #require(table.columns.firstIndex(of: $0)) }
    return table.rows.map { row in positions.map { row[$0].map(Array.init) } }
  }

  private func read(_ export: MariaDB.Export, reportsLineEnds: Bool, step: Int = .max) throws -> [PlainRow] {
    let names = export.columns ?? MariaDB.wrote.tables[export.table]?.columns ?? []
    let dialect = export.dialect.dialect(reportsLineEnds: reportsLineEnds, hasHeader: export.columns == nil)
    return try rows(
      Array(export.bytes), as: MySQLFormat(dialect: dialect, binding: columns(names), columnOrder: export.columns),
      width: names.count, step: step)
  }

  private func cells(_ row: PlainRow) -> Cells { row.fields.map { $0.map { Array($0.utf8) } } }

  private static let certain = MariaDB.wrote.exports.filter { $0.dialect.isCertain && $0.table != "bits" }
  private static let uncertain = MariaDB.wrote.exports.filter { !$0.dialect.isCertain && !$0.dialect.isRefused }

  @Test("There are exports of every table")
  func fixture() {
    #expect(MariaDB.wrote.version.contains("MariaDB"))
    #expect(Self.certain.count > 60)
    #expect(Self.uncertain.count > 15)
  }

  @Test("With an escape of its own, every dialect comes back as the table", arguments: certain)
  private func exact(export: MariaDB.Export) throws {
    let expected = try expected(export)
    for reportsLineEnds in export.dialect.showsLineEnds ? [true, false] : [true] {
      let found = try read(export, reportsLineEnds: reportsLineEnds)
      #expect(found.map(cells) == expected, "line ends told: \(reportsLineEnds)")
      #expect(found.allSatisfy { $0.fault == nil })
    }
  }

  @Test("Without one, a row is read right, rejected, or stops the run: never wrong", arguments: uncertain)
  private func neverWrong(export: MariaDB.Export) throws {
    let expected = try expected(export)
    for reportsLineEnds in [true, false] {
      guard let found = try? read(export, reportsLineEnds: reportsLineEnds) else { continue }
      let sound = found.filter { $0.fault == nil }.map(cells)
      #expect(sound.allSatisfy(expected.contains), "line ends told: \(reportsLineEnds)")
    }
  }

  @Test("Texts without anything special come back from every dialect in which a NULL can be told")
  func tame() throws {
    for export in Self.uncertain where export.table == "tame" {
      if export.dialect.enclosed_by.isEmpty {
        let error = #expect(throws: OfferliftError.self) { try read(export, reportsLineEnds: true) }
        #expect(error?.message.contains("line 2: a field is the word NULL") == true, "\(export)")
      } else {
        #expect(try read(export, reportsLineEnds: false).map(cells) == expected(export), "\(export)")
      }
    }
  }

  @Test("Where a window ends changes nothing", arguments: [1, 2, 3, 7, 64])
  func windows(step: Int) throws {
    for export in MariaDB.wrote.exports where export.table == "edges" {
      let whole = try? read(export, reportsLineEnds: true)
      #expect((try? read(export, reportsLineEnds: true, step: step)) == whole, "\(export)")
    }
  }

  @Test("Bytes that are no text spoil their row; bits that the server does not escape do, too")
  func bits() throws {
    for export in MariaDB.wrote.exports where export.table == "bits" {
      let found = try read(export, reportsLineEnds: true)
      let expected = try expected(export)
      for (row, cells) in zip(found, expected.indices) where row.fault == nil {
        #expect(self.cells(row) == expected[cells])
      }
      #expect(found.contains { $0.fault == .invalidUTF8 })
      #expect(found.contains { $0.fault == nil })
    }
  }
}
