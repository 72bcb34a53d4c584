import Analysis
import Domain
import Engine

extension SummaryTables {
  /// A table for each funnel: users by step, and the share of the first step's.
  var funnels: String {
    let rows = night.funnels.filter { $0.offering == offering }
    return Set(rows.map(\.funnel)).sorted().map { name in
      let own = rows.filter { $0.funnel == name }
      let lines = Set(own.map(\.step)).sorted().map { step in
        let ofStep = own.filter { $0.step == step }
        return (
          ofStep.first?.name.text ?? "",
          groups.map { group in ofStep.first { $0.group == group }.map(Self.words) ?? "" }
        )
      }
      return table("Funnel \(name)", lines)
    }
    .joined(separator: "\n")
  }

  /// `412 (41.2 %, p = 0.013)`: users, their share of the first step's, and the test against the baseline.
  private static func words(_ row: FunnelRow) -> String {
    guard row.isReachable else { return row.users == 0 ? "cannot take it" : "\(Phrase.count(row.users)), unexpected" }
    let share = row.step == 1 ? row.ofPrevious : row.ofFirst
    let recent = row.step == 1 && row.immature > 0 ? "\(Phrase.count(row.immature)) more too recent" : nil
    let details = [share.map(Phrase.percent), row.pValue.map(Phrase.pValue), recent].compactMap(\.self)
    return Phrase.count(row.users) + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
  }

  /// A table for each funnel that parts its users: those for whom the event came, and those for whom it did not.
  var funnelSplits: String {
    let rows = night.funnelSplits.filter { $0.offering == offering }
    return Set(rows.map(\.funnel)).sorted().map { name in
      let own = rows.filter { $0.funnel == name }
      let steps = Set(own.map(\.step)).sorted()
      let lines = [true, false].flatMap { happened in
        steps.map { step in
          let ofStep = own.filter { $0.step == step && $0.happened == happened }
          return (
            "\(happened ? "with" : "without") \(own[0].event): \(ofStep.first?.name.text ?? "")",
            groups.map { group in
              ofStep.first { $0.group == group }
                .map { "\(Phrase.count($0.users))\($0.ofFirst.map { " (\(Phrase.percent($0)))" } ?? "")" } ?? ""
            }
          )
        }
      }
      return table("Funnel \(name) by \(own[0].event)", lines) + "\n\(Self.splitNote(own[0].event.text))\n"
    }
    .joined(separator: "\n")
  }

  /// What must stand below a funnel that parts its users by an event.
  static func splitNote(_ event: String) -> String {
    "Who took the second step before \(SummaryExporter.escape(event)) came is among those without it. \(noComparison)"
  }

  /// What must stand beside figures of people whom no lot was drawn for.
  static let noComparison =
    "Nobody drew lots for this: it is no randomized comparison, and the difference need not be an effect."
}
