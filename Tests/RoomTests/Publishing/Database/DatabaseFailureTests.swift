import GRDB
import Testing

@testable import Domain
@testable import Publishing

@Suite("What SQLite's errors become")
struct DatabaseFailureTests {
  @Test(
    "A read that fails on a first night is told as that: there is no history to keep",
    arguments: [ResultCode.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR])
  func firstNight(code: ResultCode) throws {
    let folder = try ScratchFolder()
    let path = folder.url.appendingPathComponent("results.sqlite").path
    let error = try #require(throws: OfferliftError.self) {
      try DatabaseFailure.translating(path) { throw DatabaseError(resultCode: code) }
    }
    #expect(error.exit == .inputOutput)
    #expect(!error.message.contains("history"), "\(error.message)")
  }
}
