import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform

@Suite("Rejected rows in their order")
struct RejectedRowsTests {
  /// So little that nearly every line waits on the disk, and nothing does.
  private static let limits: [Int64?] = [nil, 400_000, 0]

  private func spool(_ limit: Int64?) -> RejectSpool {
    RejectSpool(limit.map { MemoryLimit(ByteSize(bytes: $0), folder: NSTemporaryDirectory()) })
  }

  /// Rows of some files, several of some lines.
  private static let rejects = (0..<6_000).map { number in
    Reject(
      account: number / 2_500, line: number / 3, byteOffset: Int64(number / 3 * 70),
      reason: number % 2 == 0 ? .malformed : .badPrice,
      detail: "row \(number) is \(number % 5 == 0 ? "\"bad\", so" : "bad")",
      excerpt: Array(repeating: UInt8(ascii: "x"), count: number % 200))
  }
  private static let inOrder = rejects.sorted { $0.precedes($1) }.map { "\($0)" }

  @Test("However they come, and wherever they wait, they come out by file and place", arguments: limits)
  func order(limit: Int64?) {
    for seed in 1...3 {
      var dice = Dice(seed: UInt64(seed))
      let shuffled = Self.rejects.shuffled(using: &dice)
      for isShuffled in [false, true] {
        var rows = RejectedRows(in: spool(limit), isShuffled: isShuffled)
        for reject in shuffled { rows.append(reject) }
        #expect(rows.count == Self.rejects.count)
        #expect(rows.all.map { "\($0)" } == Self.inOrder)
      }
    }
  }

  @Test("What several tasks have read of a file, taking turns, is in the file's order", arguments: limits)
  func turns(limit: Int64?) {
    let spool = spool(limit)
    let parts = (0..<3).map { task in
      var rows = RejectedRows(in: spool)
      for (number, reject) in Self.rejects.enumerated() where number / 100 % 3 == task { rows.append(reject) }
      return rows
    }
    for order in [[0, 1, 2], [2, 0, 1]] {
      var whole = RejectedRows(in: spool)
      for task in order { whole.merge(parts[task]) }
      #expect(whole.all.map { "\($0)" } == Self.inOrder)
    }
  }

  @Test("Lists of files are joined under other numbers, and a list of what came late among them", arguments: limits)
  func joined(limit: Int64?) {
    let spool = spool(limit)
    func list(_ picks: (Reject) -> Bool, file: (Reject) -> Int) -> RejectedRows {
      var rows = RejectedRows(in: spool)
      for var reject in Self.rejects where picks(reject) {
        reject.account = file(reject)
        rows.append(reject)
      }
      return rows
    }
    func isLate(_ reject: Reject) -> Bool { reject.line % 7 == 0 && reject.account > 0 }
    let files = (0..<3).map { file in (list({ $0.account == file && !isLate($0) }) { _ in 0 }, file) }
    let late = (list(isLate) { $0.account - 1 }, 1)
    let all = RejectedRows.joined(files + [late])
    #expect(all.all.map { "\($0)" } == Self.inOrder)
  }

  @Test("Rejects that only may be ones are found again by their numbers", arguments: limits)
  func unpriced(limit: Int64?) throws {
    let rejects = UnpricedRejects(in: spool(limit))
    for (number, reject) in Self.rejects.enumerated() { #expect(rejects.add(reject) == number) }
    var found: [String] = []
    try rejects.forEach(of: [5_999, 7, 0, 3_000]) { number, row, line in
      let reject = try #require(Reject(line: line.dropLast()))
      #expect("\(reject)" == "\(Self.rejects[Int(number)])")
      #expect(row == RowPosition(file: reject.account, byteOffset: Int(reject.byteOffset), line: reject.line))
      #expect(line.last == RejectLine.end)
      found.append("\(number)")
    }
    #expect(found == ["0", "7", "3000", "5999"])
    var count = 0
    try rejects.forEach { number, _, _ in
      #expect(number == count)
      count += 1
    }
    #expect(count == Self.rejects.count)
  }
}
