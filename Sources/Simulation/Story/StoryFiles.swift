import Foundation
import Platform

/// The files of a story: the outputs, the server's tables, who is who, what money was worth.
struct StoryFiles {
  let context: StoryContext
  let folder: String
  let formats: [any StoryFormat]
  /// Nil where no output is signed.
  private let signer: NotificationSigner?

  init(_ scenario: Scenario, _ story: Story, folder: String) throws {
    let context = StoryContext(scenario: scenario, story: story, names: StoryNames(scenario, story))
    self.context = context
    self.folder = folder
    let signed = story.outputs.filter { $0.format == .appStoreNotifications && $0.form != .decoded }
    let signer =
      signed.isEmpty
      ? nil : try NotificationSigner(seed: scenario.seed, folder: folder, names: signed.flatMap(\.names))
    self.signer = signer
    formats = story.outputs.map { StoryFormats.format($0, context, signer) }
  }

  private var story: Story { context.story }
  private var scenario: Scenario { context.scenario }

  func write(_ cast: StoryCast) throws {
    for (index, output) in story.outputs.enumerated() {
      let names = output.names
      _ = try SideBySide.map(output.shards) { shard in
        try write(cast.rows[index][shard], output, formats[index], shard: shard + 1, as: names[shard])
      }
    }
    try writeSmallTables()
  }

  private func write(
    _ rows: [StoryEvent], _ output: Story.Output, _ format: any StoryFormat, shard: Int, as name: String
  ) throws {
    let odd = output.oddities
    var writer = try ShardWriter(
      "\(folder)/\(name)",
      oddities: ShardWriter.Oddities(
        hasCRLF: odd.crlf == shard, hasBOM: odd.bom == shard, hasOpenEnd: odd.openEnd == shard,
        hasManyMembers: odd.manyMembers == shard))
    if let header = format.header { try writer.line { $0 += header } }
    for start in stride(from: 0, to: rows.count, by: format.rowsPerLine) {
      let line = rows[start..<min(rows.count, start + format.rowsPerLine)]
      if isBlankBefore(line[start], output) { try writer.line { _ in } }
      var bytes: [UInt8] = []
      try format.write(line, to: &bytes)
      try writer.line { $0 += bytes }
    }
    try writer.finish()
  }

  private func isBlankBefore(_ row: StoryEvent, _ output: Story.Output) -> Bool {
    guard output.blankLines != .zero else { return false }
    var draws = context.draws(row)
    return draws.happens(output.blankLines)
  }

  // MARK: - Tables

  private func writeSmallTables() throws {
    if story.aliases.share != .zero {
      let users = scenario.users + Int(scenario.oldClients.of(Int64(scenario.users)))
      try write(context.names.identities(of: users), as: "identities.csv")
    }
    if let rates = story.rates { try write(rates.csv, as: "exchange_rates.csv") }
    if story.tables.catalog == .responses || story.tables.catalog == .both {
      try write(GzipWriter.pack(OfferingResponses(scenario: scenario).lines), as: OfferingResponses.file)
    }
    guard let signer else { return }
    try write(Array(signer.authority.rootPEM.utf8), as: TestAuthority.rootFile)
    try write(Array(signer.authority.pem.utf8), as: NotificationSigner.authorityFile)
    try write(Array(signer.stranger.pem.utf8), as: NotificationSigner.strangerFile)
  }

  private func write(_ bytes: [UInt8], as name: String) throws {
    try FileWriter.write(bytes, replacing: "\(folder)/\(name)")
  }
}
