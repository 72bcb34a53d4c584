import Foundation
import GRDB
import Testing

@testable import Platform

@Suite("Cells of a row as bytes")
struct SQLiteCellTests {
  /// What stands for the cells of the row that a query selects.
  private func bytes(_ sql: String, _ arguments: StatementArguments = []) throws -> String {
    try DatabaseQueue().read { database in
      let statement = try database.makeStatement(sql: sql)
      let rows = try Row.fetchCursor(statement, arguments: arguments)
      _ = try #require(try rows.next())
      var bytes: [UInt8] = []
      for column in 0..<statement.columnCount {
        let cell = SQLiteCell(statement.sqliteStatement, column: column)
        if cell.append(to: &bytes, behind: Array("\(column)=".utf8)) { bytes.append(UInt8(ascii: ";")) }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test("A cell says its kind and its value, and an empty one nothing")
  func kinds() throws {
    #expect(try bytes("SELECT 7, -9223372036854775807 - 1, NULL") == "0=i7;1=i-9223372036854775808;")
    #expect(try bytes("SELECT 0.1, -0.0") == "0=d\((0.1).bitPattern);1=d\((-0.0).bitPattern);")
    #expect(try bytes("SELECT 'é=;', ''") == "0=sé=;;1=s;")
    #expect(try bytes("SELECT X'00FF', X''") == "0=bAP8=;1=b;")
  }

  @Test("A number and its text are not the same")
  func kindsDiffer() throws {
    #expect(try bytes("SELECT 1") != bytes("SELECT '1'"))
    #expect(try bytes("SELECT 1") != bytes("SELECT 1.0"))
  }
}
