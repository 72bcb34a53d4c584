import Foundation
import Synchronization

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform

/// Measures a job by tasks that share nothing but their blocks, one after another in this process.
struct ExchangedEngine {
  var job: Job
  var cutoff: Instant
  var since: EarlierCount?
  var tasks = 3
  var partitionBits = 7
  /// The order in which blocks come is of no account.
  var isReversed = false
  /// May change what is on its way; what it drops is lost.
  var onTheWay: (ExchangedBlock) -> ExchangedBlock? = { $0 }

  private let memory = MemoryLimit(ByteSize(bytes: 200_000), folder: NSTemporaryDirectory())

  init(_ job: Job, _ cutoff: Instant) {
    (self.job, self.cutoff) = (job, cutoff)
  }

  private final class Way: Sendable {
    private let blocks = Mutex<[ExchangedBlock]>([])

    var outlet: BlockOutlet {
      { block in self.blocks.withLock { $0.append(block) } }
    }

    var all: [ExchangedBlock] { blocks.withLock { $0 } }
  }

  private func arrived(_ way: Way) -> [ExchangedBlock] {
    let blocks = way.all.compactMap(onTheWay)
    return isReversed ? blocks.reversed() : blocks
  }

  private static func isOfUsers(_ block: ExchangedBlock) -> Bool { ["events", "assignments"].contains(block.kind) }

  private static func isOfTransactions(_ block: ExchangedBlock) -> Bool {
    ["claims", "following"].contains(block.kind)
  }

  func measure() async throws -> NativeEngine.Outcome {
    let run = ExchangedRun(
      job: job, cutoff: cutoff, partitionBits: partitionBits, looksBack: true, since: since)
    let files = try run.countedFiles().enumerated().flatMap { number, files in files.map { (number, $0) } }
    let read = Way()
    for (input, file) in files {
      // A file without a line has no row that would reach a task.
      guard try file.hasLines else { continue }
      try FileTask(run).read(file, ofInput: input, outlet: read.outlet)
    }
    let reported = arrived(read).filter { !Self.isOfUsers($0) }
    let users = try resolved(run, arrived(read).filter(Self.isOfUsers), reported)
    let sums = Way()
    for task in 0..<tasks {
      let work = try PartitionTask(run, memory: memory, threads: 1)
      for (input, file) in files { work.list(ListedFile(file, ofInput: input)) }
      for block in users where (block.partition ?? 0) % tasks == task { try work.accept(block) }
      for block in reported where ["names", "file"].contains(block.kind) { try work.accept(block) }
      try await work.finish(outlet: sums.outlet)
    }
    let ids = Way()
    for task in 0..<tasks {
      let work = try AssignedIDsTask(run, memory: memory, threads: 1)
      for block in users where block.kind == "assignments" && (block.partition ?? 0) % tasks == task {
        try work.accept(block)
      }
      for block in arrived(sums) where block.kind == "unassigned" { try work.accept(block) }
      try await work.finish(outlet: ids.outlet)
    }
    var outcome = try ExchangedOutcome(run)
    for (input, file) in files { outcome.list(ListedFile(file, ofInput: input)) }
    for block in reported + arrived(sums) + arrived(ids) where !Self.isOfTransactions(block) {
      try outcome.accept(block)
    }
    return try outcome.outcome(threads: 2, timings: Timings())
  }

  private func resolved(
    _ run: ExchangedRun, _ users: [ExchangedBlock], _ reported: [ExchangedBlock]
  ) throws -> [ExchangedBlock] {
    let way = Way()
    let transactions = reported.filter(Self.isOfTransactions)
    let moving = transactions + (run.hasIdentities ? users : [])
    for task in 0..<tasks {
      let work = try IdentityTask(run, memory: memory, threads: 1)
      for block in moving where (block.partition ?? 0) % tasks == task { try work.accept(block) }
      for block in reported where ["file", "transfers"].contains(block.kind) { try work.accept(block) }
      try work.finish(outlet: way.outlet)
    }
    return arrived(way) + (run.hasIdentities ? [] : users)
  }
}

extension InputFile {
  /// Spark hands on rows of it: it is read, and something stands in it beside a byte order mark.
  fileprivate var hasLines: Bool {
    get throws {
      guard sameAs == nil, size > 0 else { return false }
      return try size > 3 || [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) != Text.byteOrderMark
    }
  }
}
