import Analysis
import Domain
import Statistics

/// What an earlier night would have shown of an offering by today's files and job, or by another version of the program.
struct Restatement {
  /// The previous night's date, `2026-03-30`.
  let since: String
  /// Every primary metric of every group, whether or not it moved, metric by metric, the baseline first.
  let values: [Value]
  /// Each group's call; the baseline has none.
  let calls: [CallChange]
  /// What is different.
  let cause: Cause

  enum Cause {
    case files, job
    /// The program's version in place of the one that published the night, and whether job and files are that night's.
    case version(String, insteadOf: String, isAlone: Bool)
  }

  struct Value {
    let metric: StoryMetric
    let group: StoryGroup
    /// In the metric's unit; nil where there is none.
    let published: Double?
    let restated: Double?
    let publishedLift: Double?
    let restatedLift: Double?
    /// Of each lift what it can be told from; nil where that is not known.
    let publishedInterval: Interval?
    let restatedInterval: Interval?

    var isMoved: Bool { published != restated || publishedLift != restatedLift }
  }

  struct CallChange {
    let group: StoryGroup
    let published: Call
    let publishedHeadline: String
    /// Nil where tonight's is the published one, or where it could not be counted.
    let restated: Call?
    let restatedHeadline: String
    let now: Call
  }

  /// What another version moves, and what files and the job do; empty where nothing of the time before the earlier night's
  /// cut-off has changed.
  static func all(in source: OfferingSource) -> [Self] {
    let rows = source.rows(of: RestatedTable())
    let byVersion = rows.filter { $0.cause.hasPrefix(RestatedRow.Cause.version.rawValue) }
    let today = rows.filter { !$0.cause.hasPrefix(RestatedRow.Cause.version.rawValue) }
    return [byVersion, today].compactMap { Self($0, in: source) }
  }

  private init?(_ rows: [Table.Row<RestatedTable>], in source: OfferingSource) {
    guard let first = rows.first else { return nil }
    since = first.previousNight
    cause =
      switch RestatedRow.Cause(rawValue: first.cause) {
      case .version: .version(first.restatedVersion, insteadOf: first.publishedVersion, isAlone: true)
      case .versionAndMore: .version(first.restatedVersion, insteadOf: first.publishedVersion, isAlone: false)
      case .today, nil: source.allRows(of: ChangedFilesTable()).isEmpty ? .job : .files
      }
    values = rows.map { row in
      Value(
        metric: source.metric(row.metric), group: source.group(row.group),
        published: row.publishedValue.map(Self.units),
        restated: row.restatedValue.map(Self.units), publishedLift: row.publishedLift, restatedLift: row.restatedLift,
        publishedInterval: row.publishedInterval, restatedInterval: row.restatedInterval)
    }.sorted { ($0.metric, $0.group) < ($1.metric, $1.group) }
    var seen: Set<Identifier> = []
    calls = rows.compactMap { row in
      guard let published = Call(rawValue: row.publishedCall), let now = Call(rawValue: row.call),
        seen.insert(row.group).inserted
      else { return nil }
      return CallChange(
        group: source.group(row.group), published: published, publishedHeadline: row.publishedHeadline,
        restated: Call(rawValue: row.restatedCall), restatedHeadline: row.restatedHeadline, now: now)
    }
  }

  private static func units(_ micros: Int128) -> Double { Double(micros) / 1_000_000 }
}

// MARK: - In words

extension Restatement {
  /// So many metrics' lifts are said; the rest stands in the figure.
  private static let saidMetrics = 2
  private static let saidGroups = 3

  /// What the previous night would have shown, and whether the call is another because of it.
  var sentences: [String] { [figures, isOfVersion ? versionsCall : call].compactMap(\.self) }

  private var isOfVersion: Bool { if case .version = cause { true } else { false } }

  private var causeWords: String {
    switch cause {
    case .files: "today's files"
    case .job: "today's job"
    case .version(let version, let before, let isAlone):
      "version \(version) in place of \(before.isEmpty ? "an earlier one" : before)"
        + (isAlone ? "" : ", and with today's job and files,")
    }
  }

  /// Which calls of that night another version makes otherwise.
  private var versionsCall: String? {
    let moved = calls.filter { $0.restated != nil && $0.restated != $0.published }
    guard !moved.isEmpty else { return nil }
    let night = figures == nil ? "With \(causeWords) the night of \(DayWords.day(since))" : "It"
    let said = moved.prefix(Self.saidGroups).map {
      "\($0.restated?.words ?? "") of \($0.group.text), where it said \($0.published.words)"
    }
    let more = moved.count - said.count
    let rest = more > 0 ? ", and \(Phrase.count(more, "more call")) otherwise" : ""
    return "\(night) would have said \(said.joined(separator: "; "))\(rest)."
  }

  /// `With today's files the night of 30 March 2026 would have shown …`; nil where no lift and no value moved.
  private var figures: String? {
    let moved = values.filter(\.isMoved)
    let lifts = moved.filter { $0.restatedLift != nil || $0.publishedLift != nil }
    let reported = lifts.isEmpty ? moved : lifts
    let metrics = reported.reduce(into: [StoryMetric]()) { if $0.last != $1.metric { $0.append($1.metric) } }
    guard !metrics.isEmpty else { return nil }
    let said = metrics.prefix(Self.saidMetrics).map { metric in
      let groups = reported.filter { $0.metric == metric }.map(\.words)
      return "\(metric.label): \(Phrase.list(groups, most: Self.saidGroups))"
    }
    let more = metrics.count - said.count
    let rest = more > 0 ? "; and \(Phrase.count(more, "more metric"))" : ""
    return
      "With \(causeWords) the night of \(DayWords.day(since)) would have shown \(said.joined(separator: "; "))\(rest)."
  }

  /// Whether tonight's call is that of the night before, and if not, whether the past is why.
  private var call: String? {
    guard !calls.isEmpty else { return nil }
    let changed = calls.filter { $0.now != $0.published }
    guard !changed.isEmpty else { return "The call is the same as on that night." }
    let said = changed.prefix(Self.saidGroups).map { $0.words(causeWords) }
    let more = changed.count - said.count
    return (said + (more > 0 ? ["\(Phrase.count(more, "more call")) changed."] : [])).joined(separator: " ")
  }
}

extension Restatement.Value {
  /// `new 3.15 USD instead of 3.10 USD (lift +4.6 %, −1.0 to +10.5 % instead of +4.1 %, −1.6 to +10.0 %)`
  fileprivate var words: String {
    let digits = metric.unit.digits([published, restated].compactMap(\.self))
    func text(_ value: Double?) -> String { value.map { digits.text($0) + metric.unit.suffix } ?? "no value" }
    let values = published == restated ? text(restated) : "\(text(restated)) instead of \(text(published))"
    guard publishedLift != nil || restatedLift != nil else { return "\(group.inWords) \(values)" }
    func lift(_ lift: Double?, _ interval: Interval?) -> String {
      guard let lift else { return "none" }
      return StoryWords.signedLift(lift) + (interval.map { ", \(StoryWords.interval($0))" } ?? "")
    }
    let after = lift(restatedLift, restatedInterval)
    let before = publishedLift == restatedLift ? "" : " instead of \(lift(publishedLift, publishedInterval))"
    return "\(group.inWords) \(values) (lift \(after)\(before))"
  }
}

extension Restatement.CallChange {
  fileprivate func words(_ cause: String) -> String {
    let change = "The call for \(group.inWords) was \(published.words) and is \(now.words)"
    return switch restated {
    case now: "\(change): \(cause) changed it."
    case published: "\(change), and not because of \(cause): with them that night would have said the same as it did."
    case .some(let other): "\(change); with \(cause) that night would have said \(other.words)."
    case nil: "\(change); whether \(cause) changed it could not be counted."
    }
  }
}
