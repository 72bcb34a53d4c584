import Domain
import Engine
import Foundation
import Platform

/// What a submission wrote to be finished from: the rows of `result`, looked at whether they are all there.
struct SparkResult {
  private let folder: URL
  private let plan: PlanFolder
  private var manifest: SparkManifest { plan.manifest }

  init(of plan: PlanFolder) {
    folder = plan.url.appendingPathComponent(PlanFolder.result)
    self.plan = plan
  }

  /// The outcome of the run.
  ///
  /// - Throws: `OfferliftError`, as where one process measures the job; 65 where the submission is not whole: it was not
  ///   finished, a task ended without its last row, rows that a task wrote are not those that others took, or an input
  ///   has changed since it was planned.
  func outcome(of run: ExchangedRun, threads: Int, timings: Timings) throws -> NativeEngine.Outcome {
    guard try Folder.exists(folder.appendingPathComponent("_SUCCESS").path) else {
      throw incomplete("it has no _SUCCESS, so Spark has not finished it")
    }
    try plan.verify()
    try manifest.refuseChanged()
    var outcome = try ExchangedOutcome(run)
    var (received, trailers) = (RowCounts(), [TaskTrailer]())
    try manifest.forEachListed { outcome.list($0) }
    try forEachRow { row in
      received.add(row)
      switch row.kind {
      case .end: trailers.append(try trailer(row))
      case .listed: outcome.list(try manifest.listed(row))
      default: try outcome.accept(row.block)
      }
    }
    let hash = try plan.hash
    guard trailers.allSatisfy({ $0.plan == hash }) else { throw incomplete("its rows are of another plan") }
    try TaskLedgers(trailers, received, hasIdentities: run.hasIdentities).check { incomplete($0) }
    guard trailers.allSatisfy({ $0.names ?? outcome.namesChecksum == outcome.namesChecksum }) else {
      throw incomplete("tasks that counted did not have all names")
    }
    return try outcome.outcome(threads: threads, timings: timings)
  }

  private func trailer(_ row: TaskRow) throws -> TaskTrailer {
    do { return try PackedCoding.decode(TaskTrailer.self, from: row.bytes) } catch {
      throw incomplete("a task's last row is damaged")
    }
  }

  private func forEachRow(_ body: (TaskRow) throws -> Void) throws {
    for name in try Folder.names(in: folder.path) where name.hasPrefix("part-") {
      let source = try ByteSource(path: folder.appendingPathComponent(name).path, displayName: name)
      var rest: [UInt8] = []
      while true {
        let piece = try read(source)
        if piece.isEmpty { break }
        rest += piece
        var start = 0
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
          guard let row = TaskRow(rest[start..<end]) else { throw incomplete("\(name) has a row that is cut short") }
          try body(row)
          start = end + 1
        }
        rest.removeFirst(start)
      }
      guard rest.isEmpty else { throw incomplete("\(name) ends in the middle of a row") }
    }
  }

  private func read(_ source: ByteSource) throws -> [UInt8] {
    do { return try source.read(upTo: 1 << 20) } catch let corrupt as CorruptFile { throw incomplete(corrupt.fault) }
  }

  private func incomplete(_ why: String) -> OfferliftError {
    OfferliftError(.badData, "\(folder.path): \(why). Nothing was published; submit the plan again.")
  }
}

/// Holds what tasks say they wrote against what others say they took.
struct TaskLedgers {
  private var accepted: [SparkStage: RowCounts] = [:]
  private var written: [SparkStage: RowCounts] = [:]
  private var tasks: [SparkStage: Int] = [:]
  private let received: RowCounts
  private let hasIdentities: Bool

  /// - Parameter received: the rows that came here, but trailers.
  init(_ trailers: [TaskTrailer], _ received: RowCounts, hasIdentities: Bool) {
    self.received = received
    self.hasIdentities = hasIdentities
    for trailer in trailers {
      accepted[trailer.stage, default: RowCounts()].merge(trailer.accepted)
      written[trailer.stage, default: RowCounts()].merge(trailer.written)
      tasks[trailer.stage, default: 0] += 1
    }
  }

  /// - Throws: what `fault` makes of the first thing that is not right.
  func check(_ fault: (String) -> OfferliftError) throws {
    var steps: [(from: [SparkStage], to: SparkStage, kinds: [TaskRow.Kind])] = [
      ([.read], .resolve, TaskRow.transactions), ([hasIdentities ? .resolve : .read], .identify, [.assignments]),
      (hasIdentities ? [.resolve] : [.read, .resolve], .count, TaskRow.users),
    ]
    if hasIdentities { steps.append(([.read], .resolve, TaskRow.users)) }
    for step in steps {
      for kind in step.kinds {
        let handedOn = step.from.reduce(into: RowCounts()) { sum, stage in
          if let counts = written[stage] { sum.merge(counts) }
        }
        guard handedOn[kind] == accepted[step.to]?[kind] ?? RowCounts.Count() else {
          throw fault(
            "of the \(kind.rawValue) that its tasks wrote not all were taken, or some twice (\(step.to.rawValue))")
        }
      }
    }
    let exchanged = TaskRow.users + TaskRow.transactions
    for kind in TaskRow.Kind.allCases where !exchanged.contains(kind) && kind != .listed && kind != .end {
      let all = SparkStage.allCases.reduce(into: RowCounts()) { sum, stage in
        if let counts = written[stage] { sum.merge(counts) }
      }
      guard all[kind] == received[kind] else {
        throw fault("rows of \(kind.rawValue) are missing or stand in it twice")
      }
    }
    guard tasks[.count, default: 0] > 0, tasks[.identify, default: 0] > 0 else {
      throw fault("no task has counted")
    }
  }
}
