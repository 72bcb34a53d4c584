import Analysis
import Domain

/// What a metric answers to a question: each group's value beside the baseline's, and what is shown of it, in sentences.
struct MetricAnswer {
  let values: MetricValues
  /// The comparisons of the metric over everybody, a group each.
  let lifts: [Lift]
  private let digits: Digits

  init(_ values: MetricValues, lifts: [Lift]) {
    self.values = values
    self.lifts = lifts.filter { $0.metric == values.metric }
    digits = values.metric.unit.digits(values.groups.compactMap(\.value))
  }

  /// `Net revenue per user, 30 days: group_a's 1.06 USD is 94 % (37 to 187 %) above control's 0.54 USD: better.
  /// group_b's 0.57 USD is not shown to differ from control's.`
  var text: String {
    let said = (isUntrusted || lifts.isEmpty ? [list] : compared) + [zeros].compactMap(\.self)
    return "\(values.metric.label): \(said.joined(separator: " "))"
  }

  private var isUntrusted: Bool { lifts.contains { $0.outcome == .decided(.doNotTrust) } }

  // MARK: - Without a comparison

  /// `control 0.54 USD and group_a 1.06 USD.`
  private var list: String {
    let all = StoryWords.list(
      values.groups.map { "\($0.group.inWords) \(words($0.value, of: $0.group.name))" })
    return isUntrusted ? "\(all). Do not trust it: a check failed." : "\(all)."
  }

  /// `At 0: 158 users of control (16.4 %) and 156 of group_a (15.2 %).`; nil of a metric that does not tell them.
  private var zeros: String? {
    let reported = values.groups.compactMap { value in
      value.zeroUsers.map { "\(StoryWords.count($0, share: value.zeroShare)) of \(value.group.inWords)" }
    }
    return reported.isEmpty ? nil : "At 0: \(StoryWords.list(reported))."
  }

  // MARK: - Against the baseline

  /// What is shown first, then what is not; the baseline's value once.
  private var compared: [String] {
    let open = lifts.filter { $0.outcome == .decided(.inconclusive) }
    let shown = lifts.filter { $0.outcome != .decided(.inconclusive) }
    var sentences = shown.enumerated().map { index, lift in clause(lift, baseline(of: lift, isFirst: index == 0)) }
    if let first = open.first { sentences.append(undecided(open, baseline(of: first, isFirst: shown.isEmpty))) }
    if let first = sentences.first, Self.openings.contains(where: first.hasPrefix) {
      sentences[0] = first.prefix(1).lowercased() + first.dropFirst()
    }
    return sentences
  }

  /// Words that begin a sentence and stand small behind the metric's name.
  private static let openings = ["Neither ", "None of ", "It is too early "]

  /// `control's 2.93 % (233 of 7,952)`; later `control's`.
  private func baseline(of lift: Lift, isFirst: Bool) -> String {
    isFirst
      ? "\(lift.baseline.inWords)'s \(words(lift.baselineValue, of: lift.baseline))" : "\(lift.baseline.inWords)'s"
  }

  private func clause(_ lift: Lift, _ baseline: String) -> String {
    let own = own(lift)
    switch lift.outcome {
    case .higher, .lower: return "\(own) is \(difference(lift, baseline))."
    case .decided(let decision):
      switch decision {
      case .better, .worse: return "\(own) is \(difference(lift, baseline)): \(decision.words)."
      case .equivalent: return "\(own) is equivalent to \(baseline): no difference that matters."
      case .notWorse: return "\(own) is shown to be not worse than \(baseline)."
      case .maybeWorse: return "\(own) may be worse than \(baseline)."
      case .tooEarly where lift.value == nil || lift.baselineValue == nil:
        return "It is too early to say anything of \(lift.group.inWords)."
      case .tooEarly where lift.isDescriptive: return "\(own)\(range(lift)) stands beside \(baseline)."
      case .tooEarly: return "It is too early to hold \(own) against \(baseline)."
      case .inconclusive, .doNotTrust: return undecided([lift], baseline)
      }
    }
  }

  /// `94 % (37 to 187 %) above control's 0.54 USD`; of a baseline of 0 `above control's 0.00 USD`.
  private func difference(_ lift: Lift, _ baseline: String) -> String {
    let isAbove = lift.lift.map { $0 > 0 } ?? ((lift.value ?? 0) > (lift.baselineValue ?? 0))
    let side = "\(isAbove ? "above" : "below") \(baseline)"
    guard let size = lift.lift else { return side }
    let range = lift.interval.map { Phrase.spoken(of: size, from: $0.low, to: $0.high) } ?? ""
    return "\(Phrase.spoken(size))\(range) \(side)"
  }

  /// `Neither group_a's 2.64 % nor group_b's 3.11 % is shown to differ from control's 2.96 %.`
  private func undecided(_ lifts: [Lift], _ baseline: String) -> String {
    let all = lifts.map(own)
    return switch all.count {
    case 1: "\(all[0]) is not shown to differ from \(baseline)."
    case 2: "Neither \(all[0]) nor \(all[1]) is shown to differ from \(baseline)."
    default: "None of \(StoryWords.list(all)) is shown to differ from \(baseline)."
    }
  }

  /// `, which may be 20.1 to 29.9 %,`: where a described value may lie; empty where that is not known.
  private func range(_ lift: Lift) -> String {
    guard let interval = values.groups.first(where: { $0.group == lift.group })?.interval, interval.low < interval.high
    else { return "" }
    return ", which may be \(digits.text(interval.low)) to \(digits.text(interval.high))\(values.metric.unit.suffix),"
  }

  private func own(_ lift: Lift) -> String { "\(lift.group.inWords)'s \(words(lift.value, of: lift.group.name))" }

  /// `2.93 % (233 of 7,952)`.
  private func words(_ value: Double?, of group: Identifier) -> String {
    guard let value else { return "nothing yet" }
    let counts = values.counts(of: group, value: value).map { " (\($0))" } ?? ""
    return digits.text(value) + values.metric.unit.suffix + counts
  }
}
