import Foundation
import Synchronization
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform
@testable import Publishing
@testable import Spark

/// Whatever stands in a block, a row, sums or a plan behind a sound checksum: an error says so, or it is a value that
/// the rest of the run can use.
@Suite("Bytes of our own that say what cannot be", .serialized)
struct BlockMutationTests {
  /// Calls that fail with an error of the program's own do so as they should.
  private static func expectWords(
    _ seed: UInt64, _ what: String, _ body: () async throws -> Void
  ) async {
    do { try await body() } catch let error where error is OfferliftError || error is BlockFault {} catch {
      Issue.record("\(what), seed \(seed): \(type(of: error)) \(error)")
    }
  }

  // MARK: - Entries of the event store

  @Test("An entry of the event store is as sound as its file, or is read anew")
  func entries() async throws {
    let world = try WideWorld()
    let state = world.folder.url.appending(path: "state")
    func night() async throws -> (measured: RunMeasurement, warnings: [String]) {
      let store = EventStore(folder: state, maxBytes: 1 << 30)
      store.open()
      let engine = NativeEngine(job: world.job, cutoff: world.cutoff, threads: 1, store: store)
      let measured = try await engine.measure().measurement
      return (measured, store.drainWarnings())
    }
    let sound = try await night().measured
    let names = try FileManager.default.contentsOfDirectory(atPath: state.path + "/events").filter { $0 != ".lock" }
    #expect(names.count == 3)
    let entries = try names.sorted().map { name in
      let url = state.appending(path: "events/\(name)")
      return (url, Array(try Data(contentsOf: url)))
    }
    let readAnew = Mutex(0)
    try await FuzzPlan.forEach("entries", 200) { seed, trying in
      var mutator = Mutator(seed: seed)
      let (url, bytes) = entries[Int(seed % UInt64(entries.count))]
      let changed = mutator.blockFile(bytes)
      try trying(changed)
      try Data(changed).write(to: url)
      await Self.expectWords(seed, "an entry") {
        let (measured, warnings) = try await night()
        #expect(measured.accounts.allSatisfy { $0.isBalanced }, "seed \(seed)")
        guard !warnings.isEmpty else { return }
        readAnew.withLock { $0 += 1 }
        #expect("\(measured.offerings)".count == "\(sound.offerings)".count, "seed \(seed)")
        #expect(Array(try Data(contentsOf: url)) == bytes, "seed \(seed)")
      }
      try Data(bytes).write(to: url)
    }
    if FuzzPlan.isWhole { #expect(readAnew.withLock { $0 } > 0) }
  }

  // MARK: - What tasks tell each other

  @Test(
    "Blocks of tasks that share nothing are used, or refused in words",
    arguments: [
      "events", "assignments", "rejects", "names", "transfers", "claims", "following", "file", "sums", "lateRejects",
      "assignedIDs", "unassigned",
    ])
  func exchange(kind: String) async throws {
    let world = try WideWorld()
    let changes = Mutex(0)
    try await FuzzPlan.forEach("exchange-\(kind)", 40) { seed, trying in
      var engine = ExchangedEngine(world.job, world.cutoff)
      engine.since = world.since
      engine.tasks = 1
      // One block of the kind is changed, whichever it is.
      let wanted = Int(Mutator.position(of: seed, below: kind == "events" || kind == "assignments" ? 12 : 2))
      let seen = Mutex<[Int: Int]>([:])
      engine.onTheWay = { block in
        guard block.kind == kind else { return block }
        // Blocks pass more than once: each time the same one is changed, in the same way.
        let hash = ByteHash.hash64(of: block.bytes)
        let position = seen.withLock { seen in
          seen[hash] = seen[hash] ?? seen.count
          return seen[hash] ?? 0
        }
        guard position == wanted else { return block }
        var changed = block
        var own = Mutator(seed: seed)
        switch seed % 8 {
        case 0 where kind == "events" || kind == "assignments": changed.file = "0:assignments.csv"
        case 1 where block.partition != nil: changed.partition = own.below(200) - 20
        default: changed.bytes = own.block(block.bytes)
        }
        changes.withLock { $0 += 1 }
        return changed
      }
      try trying([])
      await Self.expectWords(seed, kind) {
        let outcome = try await engine.measure()
        _ = try Analysis.analyze(
          measurement: outcome.measurement, metrics: outcome.metrics, job: world.job, asOf: world.cutoff, last: nil)
      }
    }
    if FuzzPlan.isWhole { #expect(changes.withLock { $0 } > 0, "no block of the kind \(kind)") }
  }

  @Test("Sums of another process are used, or refused in words")
  func sums() async throws {
    let world = try WideWorld()
    let plain = try await NativeEngine(job: world.job, cutoff: world.cutoff, threads: 1, since: world.since).measure()
    let run = try await RunInParts(world.job, cutoff: world.cutoff, since: world.since)
    let whole = run.parts.reduce(into: AttributedEvents(sums: run.plan.emptySums)) { $0.merge($1) }
    let bytes = try whole.encoded()
    let used = Mutex(0)
    try await FuzzPlan.forEach("sums", 200) { seed, trying in
      var mutator = Mutator(seed: seed)
      let changed = mutator.column(bytes)
      try trying(changed)
      await Self.expectWords(seed, "sums") {
        var sums = try AttributedEvents(encoded: changed, fitting: run.plan)
        for _ in 0..<3 { sums.merge(try AttributedEvents(encoded: changed, fitting: run.plan)) }
        let measured = try run.measurement(of: sums, beside: plain.measurement)
        used.withLock { $0 += 1 }
        let night = try Analysis.analyze(
          measurement: measured, metrics: plain.metrics, job: world.job, asOf: world.cutoff, last: nil)
        for table in ResultTables.all {
          try table.table(of: night).forEachRow {
            var row: [UInt8] = []
            CSVExporter.appendRow($0, to: &row)
          }
        }
      }
    }
    if FuzzPlan.isWhole { #expect(used.withLock { $0 } > 0) }
  }

  // MARK: - Spark

  @Test("A plan is used, or refused in words")
  func plans() async throws {
    let world = try WideWorld()
    let run = ExchangedRun(job: world.job, cutoff: world.cutoff, looksBack: true, since: world.since)
    let path = world.folder.path("plan")
    let plan = try PlanFolder(making: run, in: path, work: nil, sizes: SparkSizes(for: 2))
    let file = plan.url.appending(path: SparkManifest.fileName)
    let bytes = Array(try Data(contentsOf: file))
    try await FuzzPlan.forEach("plan", 300) { seed, trying in
      var mutator = Mutator(seed: seed)
      let changed = mutator.json(bytes)
      try trying(changed)
      try Data(changed).write(to: file)
      await Self.expectWords(seed, "a plan") {
        let manifest = try SparkManifest(of: plan.url)
        let run = try manifest.run(in: plan.url) { try JobReader.read($0) }
        try manifest.forEachListed { _ in }
        _ = PlanScript(manifest, hasIdentities: run.hasIdentities, isPrinted: true).text
        let names = FileNames(manifest)
        for input in manifest.inputs.indices { _ = names.name(ofFileAt: "file:/x%20y", input: input) }
        let task = try PartitionTask(
          run, memory: MemoryLimit(ByteSize(bytes: manifest.taskMemory), folder: path), threads: 1)
        try manifest.forEachListed { task.list($0) }
      }
    }
  }

  @Test("A row of Spark's is taken, or refused in words")
  func rows() async throws {
    let world = try WideWorld()
    let piece = "0\tfile:/srv/a%20b.gz\t12\t0\t12\tCg==\t\(Data("a,b\nc,d".utf8).base64EncodedString())\t.\n"
    let row = TaskRow(.events, partition: 17, file: "1:a", bytes: [1, 2, 3]).line
    let listed = TaskRow(.listed, partition: 1, file: "file:/x", bytes: Array("100".utf8)).line
    let trailer = try PackedCoding.encode(
      TaskTrailer(stage: .count, plan: "x", accepted: RowCounts(), written: RowCounts(), names: 7))
    let run = ExchangedRun(job: world.job, cutoff: world.cutoff, looksBack: true, since: nil)
    let plan = try PlanFolder(making: run, in: world.folder.path("plan"), work: nil, sizes: SparkSizes(for: 2))
    try await FuzzPlan.forEach("rows", 800) { seed, trying in
      var mutator = Mutator(seed: seed)
      let kinds: [[UInt8]] = [Array(piece.utf8) + Array(piece.utf8), row, listed, Array(trailer)]
      let kind = Int(seed % 4)
      let changed =
        kind == 3
        ? mutator.column(kinds[3])
        : mutator.below(2) == 0 ? mutator.digits(kinds[kind]) : mutator.rows(kinds[kind], cells: UInt8(ascii: "\t"))
      try trying(changed)
      await Self.expectWords(seed, "a row") {
        switch kind {
        case 0:
          let url = world.folder.url.appending(path: "rows")
          try Data(changed).write(to: url)
          let rows = try FileRows(LineReader(try FileHandle(forReadingFrom: url)))
          while let file = try rows.nextFile() { while try file.next() != nil {} }
        case 1, 2:
          guard let row = TaskRow(changed.dropLast()) else { return }
          _ = (row.checksum, row.line)
          if kind == 2 { _ = try plan.manifest.listed(row) }
          let task = try PartitionTask(
            run, memory: MemoryLimit(ByteSize(bytes: 1 << 20), folder: world.folder.path("")), threads: 1)
          try task.accept(row.block)
        default:
          guard var trailer = try? PackedCoding.decode(TaskTrailer.self, from: changed) else { return }
          for _ in 0..<3 { trailer.written.merge(trailer.written) }
        }
      }
    }
  }
}

extension Mutator {
  /// A place that follows from a seed, otherwise than what the seed makes.
  static func position(of seed: UInt64, below bound: UInt64) -> UInt64 {
    var dice = Dice(seed: seed ^ 0x5bd1_e995)
    return dice.next() % bound
  }
}

extension ByteHash {
  fileprivate static func hash64(of bytes: [UInt8]) -> Int {
    bytes.withText { Int(truncatingIfNeeded: hash64($0)) }
  }
}
