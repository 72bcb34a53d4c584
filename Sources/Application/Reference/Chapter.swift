/// The chapters of the reference: the Markdown files of `jobs/reference`, which the program carries.
package enum Chapter: String, CaseIterable, Sendable {
  case start, inputs, feeds, metrics, decisions, nights, outputs, tables
  case moreTables = "tables-more"
  case commands, troubleshooting

  /// The chapter as its file has it.
  var markdown: String { String(decoding: bytes, as: UTF8.self) }

  /// Where its file lies in a checkout and in the packages.
  var path: String { "jobs/reference/\(rawValue).md" }

  private var bytes: [UInt8] {
    switch self {
    case .start: PackageResources.start_md
    case .inputs: PackageResources.inputs_md
    case .feeds: PackageResources.feeds_md
    case .metrics: PackageResources.metrics_md
    case .decisions: PackageResources.decisions_md
    case .nights: PackageResources.nights_md
    case .outputs: PackageResources.outputs_md
    case .tables: PackageResources.tables_md
    case .moreTables: PackageResources.tables_more_md
    case .commands: PackageResources.commands_md
    case .troubleshooting: PackageResources.troubleshooting_md
    }
  }
}
