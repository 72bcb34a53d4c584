import Domain

extension SummaryTables {
  /// A table for each funnel: users by step, and the share of the first step's.
  var funnels: String {
    offering.funnels.map { funnel in
      let lines = funnel.steps.map { step in
        line(step.name.text) { group in
          step.groups.first { $0.group == group }.map { words($0, isFirst: step.number == 1) }
        }
      }
      return table("Funnel \(funnel.name)", lines)
    }
    .joined(separator: "\n")
  }

  /// `412 (41.2 %, p = 0.013)`: users, their share of the first step's, and the test against the baseline.
  private func words(_ count: Funnel.Count, isFirst: Bool) -> String {
    let users = Phrase.count(count.users)
    guard count.isReachable else { return count.users == 0 ? "cannot take it" : "\(users), unexpected" }
    let share = isFirst ? count.ofPrevious : count.ofFirst
    let recent = isFirst && count.immature > 0 ? "\(Phrase.count(count.immature)) more too recent" : nil
    let details = [share.map(Phrase.percent), count.pValue.map(Phrase.pValue), recent].compactMap(\.self)
    return details.isEmpty ? users : "\(users) (\(details.joined(separator: ", ")))"
  }

  /// A table for each funnel that parts its users: those to whom the event came, and those to whom it did not.
  var funnelSplits: String {
    offering.funnels.compactMap(\.split).map { split in
      let steps = Dictionary(grouping: split.counts, by: \.step).sorted { $0.key < $1.key }
      let lines = [true, false].flatMap { happened in
        steps.map { _, counts in
          line("\(happened ? "with" : "without") \(split.event): \(counts.first?.name.text ?? "")") { group in
            counts.first { $0.group == group && $0.happened == happened }
              .map { StoryWords.count($0.users, share: $0.ofFirst) }
          }
        }
      }
      return table("Funnel \(split.funnel) by \(split.event)", lines) + "\n\(Markdown.escape(split.note))\n"
    }
    .joined(separator: "\n")
  }
}
