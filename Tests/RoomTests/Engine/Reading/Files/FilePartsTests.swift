import Foundation
import Synchronization
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Parquet

@Suite("Files read by their parts")
struct FilePartsTests {
  @Test("Each part is read by one of the tasks")
  func once() throws {
    let parts = FileParts(count: 60)
    let read = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 5) { _ in
      try? parts.forEach { part in read.withLock { $0.append(part) } }
    }
    #expect(read.withLock { $0.sorted() } == Array(0..<60))
    #expect(parts.shareLeft == 0)
  }

  @Test("All tasks fail with the first part that cannot be read, whichever came to light first")
  func failure() throws {
    for _ in 0..<20 {
      let parts = FileParts(count: 30)
      let reported = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do {
          try parts.forEach { part in
            if part == 7 { usleep(200) }
            if part >= 7 { throw OfferliftError(.badData, "\(part)") }
          }
        } catch {
          reported.withLock { $0.append((error as? OfferliftError)?.message ?? "\(error)") }
        }
      }
      #expect(reported.withLock(\.self) == ["7", "7", "7", "7"])
    }
  }

  // MARK: - Row groups

  private static let rows = 1_950

  private static var parquet: [UInt8] {
    var bytes: [UInt8] = []
    var writer = ParquetWriter(
      [.init(name: "word", type: .text), .init(name: "number", type: .integer)], rowsOfGroup: 100)
    for row in 0..<rows {
      writer.append([.text("word-\(row)"), row % 7 == 0 ? .null : .integer(Int64(row))]) { bytes += $0 }
    }
    writer.finish { bytes += $0 }
    return bytes
  }

  private func read(
    _ bytes: [UInt8], threads: Int, onCorrupt: Job.OnCorrupt = .fail
  ) async throws -> (rows: [PlainRow], readings: [FileReading]) {
    let folder = try TemporaryFolder()
    let file = try folder.write("log.parquet", bytes)
    let found = Mutex<[PlainRow]>([])
    let readings = try await FileQueue.read([file], limit: threads, state: {}) { _, _, file in
      let table = TableFile(
        input: TableInput("purchases", path: "log.parquet", format: .csv), file: file, fields: ["number", "word"],
        isRequired: [true, true], job: .plain(onCorrupt))
      return try table.read { batch, reading in
        let rows = (0..<batch.count).map { plainRow($0, of: batch) }
        found.withLock { $0 += rows }
        reading.account.outcomes.use(batch.count)
      }.reading
    }
    return (found.withLock { $0.sorted { $0.line < $1.line } }, readings)
  }

  @Test("Row groups are shared out, and rows keep their numbers", arguments: [1, 2, 5])
  func rowGroups(threads: Int) async throws {
    let bytes = Self.parquet
    let (rows, readings) = try await read(bytes, threads: threads)
    #expect(rows.map(\.line) == Array(1...Self.rows))
    #expect(rows.map { $0.fields[1] } == (0..<Self.rows).map { "word-\($0)" })
    #expect(rows.map { $0.fields[0] } == (0..<Self.rows).map { $0 % 7 == 0 ? nil : "\($0)" })
    #expect(readings.map(\.account.rows) == [Self.rows])
    #expect(readings.map(\.account.used) == [Self.rows])
    #expect(readings.map(\.account.bytes) == [Int64(bytes.count)])
  }

  @Test("A damaged row group is told, the first of two, or leaves the whole file out", arguments: [1, 2, 5])
  func damage(threads: Int) async throws {
    var bytes = Self.parquet
    for word in ["word-1234", "word-567"] {
      let position = try #require(bytes.firstRange(of: Array(word.utf8))?.lowerBound)
      bytes[position] ^= 1
    }
    let error = await #expect(throws: OfferliftError.self) { try await read(bytes, threads: threads) }
    #expect(error?.exit == .badData && error?.message.contains("row group 6, column word") == true)
    let (_, readings) = try await read(bytes, threads: threads, onCorrupt: .skip)
    #expect(readings.map(\.account.rows) == [1])
    #expect(readings.map(\.account.setAside) == [[.corruptFile: 1]])
    #expect(readings.map(\.account.bytes) == [Int64(bytes.count)])
  }
}
