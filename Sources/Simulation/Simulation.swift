import Domain
import Foundation
import Platform

/// Makes the logs and tables of a paywall test whose truth is known.
package enum Simulation {
  /// Reads a scenario, writes its files into a folder, and says in a few lines what is in them.
  ///
  /// The same scenario gives the same bytes on every machine, however many threads there are.
  /// - Throws: `OfferliftError` for a scenario that cannot be read or a folder that cannot be written.
  package static func run(scenario path: String, output: String) throws -> String {
    let scenario = try Scenario(contentsOf: path)
    let folder = try SimulationFolder(output, for: scenario)
    let meter = ProgressMeter.current
    meter?.accept(up: output)
    meter?.begin("users and what they do")
    let crowd = try Crowd(of: scenario)
    try folder.writeCatalog()
    meter?.begin("assignments")
    try folder.writeAssignments(crowd.assignments)
    meter?.begin("purchases")
    if scenario.hasPaywall { try folder.writePurchases(crowd.shards) }
    meter?.begin("other logs")
    let tale = try scenario.story.map { try emit($0, of: scenario, in: output) }
    let report = TruthTable(scenario: scenario, happened: crowd.happened, story: tale)
    try folder.write(report.csv, as: "truth.csv")
    return report.summary(folder: output)
  }

  /// Writes the outputs of a story, and says what is true of it.
  private static func emit(_ story: Story, of scenario: Scenario, in folder: String) throws -> StoryTruthTable {
    let files = try StoryFiles(scenario, story, folder: folder)
    let cast = try StoryCast(of: files.context, files.formats)
    try files.write(cast)
    return StoryTruthTable(scenario: scenario, story: story, cast: cast)
  }
}

/// The folder that a simulation fills.
struct SimulationFolder: Sendable {
  let path: String
  let scenario: Scenario
  /// Counts the bytes for whoever shows how far the command has come; the threads that write do not inherit it.
  private let meter = ProgressMeter.current

  /// Makes the folder, unless it is there.
  ///
  /// - Throws: if it holds shards of another scenario, which a job's glob would read along with this one's.
  init(_ path: String, for scenario: Scenario) throws {
    self.path = path
    self.scenario = scenario
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw OfferliftError(
        .cannotCreateOutput, "\(path): this folder cannot be made; choose another with --output")
    }
    try refuseForeignShards()
  }

  private func refuseForeignShards() throws {
    let purchases = scenario.hasPaywall ? (0..<scenario.purchaseShards).map(purchaseName) : []
    let reported = scenario.story?.outputs.flatMap(\.names) ?? []
    let own = Set(purchases + (0..<scenario.assignmentShards).map(assignmentName) + reported)
    let patterns = ["purchases-*", "user_offering_assignments-*"] + (scenario.story?.outputs.map(\.path) ?? [])
    let present = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in present.sorted() where patterns.contains(where: { name.matches($0) }) {
      guard own.contains(name) else {
        throw OfferliftError(
          .cannotCreateOutput,
          "\(path)/\(name): this file is none of the scenario's, but jobs would read it; "
            + "delete it or choose an empty folder with --output")
      }
    }
  }

  // MARK: - Files

  /// Writes a small file whole.
  func write(_ bytes: [UInt8], as name: String) throws {
    try FileWriter.write(bytes, replacing: "\(path)/\(name)")
  }

  func writeCatalog() throws {
    let tables = CatalogTables(scenario: scenario)
    for (name, bytes) in tables.files {
      try write(GzipWriter.pack(bytes), as: name)
    }
    try write(tables.products, as: "products.csv")
  }

  /// Writes the sticky table, the earliest rows in its first file.
  func writeAssignments(_ rows: [SimulatedAssignment]) throws {
    let line = AssignmentLine(scenario, form: scenario.story?.tables.assignments ?? .csv)
    let shards = scenario.assignmentShards
    _ = try SideBySide.map(shards) { shard in
      let oddities = ShardWriter.Oddities(hasCRLF: scenario.dirt.crlfShard == shard + 1)
      var writer = try ShardWriter("\(path)/\(assignmentName(shard))", oddities: oddities, meter: meter)
      if let header = line.header { try writer.line { $0 += header } }
      for row in rows[rows.count * shard / shards..<rows.count * (shard + 1) / shards] {
        try writer.line { line.write(row, to: &$0) }
      }
      try writer.finish()
    }
  }

  /// Writes the purchase log, one file a shard.
  func writePurchases(_ shards: [[SimulatedEvent]]) throws {
    let line = EventLine(scenario)
    _ = try SideBySide.map(shards.count) { shard in
      var writer = try ShardWriter(
        "\(path)/\(purchaseName(shard))", oddities: scenario.dirt.oddities(shard: shard + 1), meter: meter)
      for event in shards[shard] {
        if event.isBlankLineBefore(scenario) { try writer.line { _ in } }
        try writer.line { line.write(event, to: &$0) }
      }
      try writer.finish()
    }
  }

  private func purchaseName(_ shard: Int) -> String { "purchases-\((shard + 1).padded(2)).jsonl.gz" }

  private func assignmentName(_ shard: Int) -> String {
    let ending = scenario.story?.tables.assignments == .mysql ? "tsv" : "csv"
    return "user_offering_assignments-\((shard + 1).padded(2)).\(ending).gz"
  }
}

extension String {
  /// Begins and ends as the pattern does before and after its `*`; nothing matches a pattern without one.
  fileprivate func matches(_ pattern: String) -> Bool {
    let ends = pattern.split(separator: "*", omittingEmptySubsequences: false)
    return ends.count == 2 && hasPrefix(ends[0]) && hasSuffix(ends[1])
  }
}

extension Dirt {
  fileprivate func oddities(shard: Int) -> ShardWriter.Oddities {
    ShardWriter.Oddities(
      hasCRLF: crlfShard == shard, hasBOM: bomShard == shard, hasOpenEnd: openEndShard == shard,
      hasManyMembers: multiMemberShard == shard)
  }
}

extension SimulatedEvent {
  /// An empty line comes before this one.
  fileprivate func isBlankLineBefore(_ scenario: Scenario) -> Bool {
    guard scenario.dirt.blankLines != .zero else { return false }
    var draws = SeededGenerator(
      seed: scenario.seed, stream: .style, index: UInt64(user) << 16 | UInt64(ordinal) | 1 << 63)
    return draws.happens(scenario.dirt.blankLines)
  }
}
