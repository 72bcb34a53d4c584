import Analysis
import Foundation
import Simulation

/// The page of a run: what was done, what was seen, and what missed its band.
struct Page {
  let outcomes: [Study.Outcome]
  let run: Run

  /// How the figures were made.
  struct Run: Sendable {
    var scale: Double
    var seed: UInt64
    var duration: Duration
    /// Seconds of all threads' work.
    var processorSeconds: Int
    var threads: Int
  }

  var text: String {
    let sections = Study.Section.allCases.compactMap(section)
    return ([heading] + sections + [misses]).joined(separator: "\n") + "\n"
  }

  private var heading: String {
    let tests = outcomes.reduce(0) { $0 + Int(Double($1.study.simulations) * run.scale) }
    let (elapsed, work) = (Self.time(Int(run.duration / .seconds(1))), Self.time(run.processorSeconds))
    return """
      # Calibration

      Simulated tests with a known truth, analyzed by the code of a run. This page is written by the program itself:

      ```
      swift build -c release --product calibration
      .build/release/calibration --page Benchmarks/Calibration/README.md
      ```

      \(Self.count(tests)) simulated tests, seed \(run.seed), \(elapsed) on \(run.threads) threads, \(work) of \
      processor time. \
      The same seed gives the same figures on any number of threads. `±` is the half-width of the 95 % interval that chance \
      alone leaves around a figure; a figure is held against its band as it stands, without it.

      **Revenue** is what a month of a paywall with subscriptions brings: 95 % of users pay nothing, the others from 2.99 \
      to 149.99 in nine steps (three days' access, weekly with renewals, monthly, yearly, for life); a user's revenue has \
      a skewness of about 11. With **whales** one payer in 200 has spent 999.99: about 45.

      Everything but the coverage of a curve's interval goes through `Analysis.analyze`, from the sums and value counts to \
      the decision; that one calls the curve's function itself. **Called** is a test in which anything that decides was \
      ever `better` or `worse`, or a group was to be shipped or dropped. A ratio or a curve never decides: its numerator \
      over all users does.
      """
  }

  private static func time(_ seconds: Int) -> String { "\(seconds / 60) min \(seconds % 60) s" }

  // MARK: - Sections

  private func section(_ section: Study.Section) -> String? {
    let own = outcomes.filter { $0.study.section == section }
    guard !own.isEmpty else { return nil }
    let (title, words) = Self.title(section)
    let table = section == .sweep ? SweepTable(outcomes: own).lines : figures(own)
    return (["", "## \(title)", words, ""] + table).joined(separator: "\n")
  }

  private func figures(_ outcomes: [Study.Outcome]) -> [String] {
    let rows = outcomes.flatMap { outcome in
      zip(outcome.study.figures, outcome.tallies).map(Self.row)
    }
    return ["| what | simulations | seen, % | ± | wanted | |", "|---|--:|--:|--:|--:|---|"] + rows
  }

  private static func row(_ figure: Figure, _ tally: Tally) -> String {
    let decimals = if case .atMost(let limit) = figure.band, limit < 0.01 { 3 } else { 2 }
    let seen = Percent.fixed(tally.share, decimals: decimals)
    let error = Percent.fixed(1.96 * tally.standardError, decimals: decimals)
    return
      "| \(figure.what) | \(count(tally.trials)) | \(seen) | \(error) | \(figure.band.words) | \(verdict(figure, tally)) |"
  }

  private static func verdict(_ figure: Figure, _ tally: Tally) -> String {
    var words: [String] = []
    if case .none = figure.band {} else { words.append(figure.band.holds(tally.share) ? "holds" : "**misses**") }
    if tally.missing > 0 {
      let share = Double(tally.missing) / Double(tally.missing + tally.trials)
      words.append("not computable in \(Percent.digits(share, decimals: 2)) %")
    }
    return words.joined(separator: "; ")
  }

  /// What lies outside of its band, and why.
  private var misses: String {
    let missed = outcomes.filter { $0.study.section != .sweep }.flatMap { outcome in
      zip(outcome.study.figures, outcome.tallies).filter { !$0.band.holds($1.share) }
    }
    let lines = missed.map { figure, tally in
      let reason = figure.note.isEmpty ? "" : ": \(figure.note)"
      return "- \(figure.what): \(Percent.fixed(tally.share, decimals: 2)) % instead of \(figure.band.words)\(reason)."
    }
    let none = "Every figure of the tables but those of the sweep lies in its band."
    return (["", "## What misses its band", ""] + (lines.isEmpty ? [none] : lines)).joined(separator: "\n")
  }

  private static func title(_ section: Study.Section) -> (String, String) {
    switch section {
    case .level: ("False alarms of a single look", "Groups do not differ; p < 5 %.")
    case .exact:
      (
        "Small counts",
        "Where fewer than 5 conversions are expected an exact test gives the p-value; it keeps below its "
          + "level because counts are whole. Intervals stay the score test's there, and the decision is `too_early`."
      )
    case .coverage: ("Coverage of a share's interval", "")
    case .sweep:
      (
        "Coverage by the size of a group",
        "Five in a hundred pay, 10 % more of them in group B; users a group in the first column. "
          + "A single group's interval leans on the normal distribution of a skewed mean and needs the larger groups; "
          + "in a difference of equal groups most of the skewness cancels. Bold is outside of 95 ± 0.5."
      )
    case .adjusted: ("Coverage of adjusted means", "")
    case .samples: ("Coverage from whole samples", "")
    case .nights:
      ("Twenty-eight nightly looks", "The same test, looked at after every night, in the hope that one night will do.")
    case .fewPayers:
      (
        "Twenty-eight nightly looks at unequal groups and few payers",
        "Groups do not differ. With few payers a mean's variance is too small just when the mean is low; equal groups "
          + "cancel that, unequal ones and a group's payers alone do not. So means and ratios are `too_early` until every "
          + "group's sums rest on 30 effective events; the lines beside tell what would be called without."
      )
    case .reports:
      (
        "Twenty-eight nightly looks at whole reports",
        "Groups do not differ; the part of tests in which anything is ever called, however many metrics, groups and "
          + "segments they have. The lines beside tell how often the check `whales` warns of a mean without `cap:`."
      )
    case .denominators:
      (
        "Who reaches the denominator",
        "Twenty-eight nightly looks at groups that differ in whom a ratio is of, not in what comes of all users."
      )
    case .power: ("Power", "As many users as the plan asks for: is the lift found as often as it promises?")
    case .sampleRatio: ("Sample ratio, looked at every night", "")
    case .moved: ("Shares that move", "Twenty-eight nightly looks.")
    case .programmes:
      (
        "What was promised, and what came",
        "Tests with a plan of 28 nights, shipped on the night of their first `ship`: the lifts that were told of those that "
          + "were shipped, in percent of their true lifts. The expected lift has the usual prior, Student's t with 3 degrees "
          + "of freedom and a standard deviation of 15 %."
      )
    case .planned:
      (
        "Planned ends",
        "Revenue per user of two groups, a plan of 28 nights that are all read (`plan: {nights: 28}`), and what tonight's data "
          + "says of every night."
      )
    case .plannedFalseCalls:
      (
        "Planned ends of groups that do not differ",
        "The part of tests in which anything is ever called, read every night of a plan of 28 and of the 90 behind it."
      )
    case .many: ("Many comparisons", "Four groups of 3,000 users.")
    }
  }

  /// `4.5`, `1`.
  static func decimal(_ number: Double) -> String { Percent.digits(number / 100, decimals: 1) }

  static func count(_ number: Int) -> String {
    var digits = String(number)
    var parts: [String] = []
    while digits.count > 3 {
      parts.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + parts).joined(separator: ",")
  }
}

/// Coverage by the size of a group: a row a size, a column an interval, and from which size each holds.
struct SweepTable {
  let outcomes: [Study.Outcome]

  var lines: [String] {
    let count = RevenueSweep.sizes.count
    let usual = Array(outcomes.prefix(count))
    let whales = Array(outcomes.dropFirst(count))
    let tests = outcomes.first?.tallies.first.map { $0.trials + $0.missing } ?? 0
    let chance = Percent.fixed(1.96 * (0.05 * 0.95 / Double(max(1, tests))).squareRoot(), decimals: 2)
    return table("users", usual, RevenueSweep.sizes) + [""] + table("users, whales", whales, RevenueSweep.whaleSizes)
      + ["", "\(Page.count(tests)) tests a size: ± \(chance) at 95 %."]
  }

  private func table(_ corner: String, _ outcomes: [Study.Outcome], _ sizes: [Int]) -> [String] {
    guard outcomes.count == sizes.count else { return [] }
    let columns = RevenueSweep.kinds.indices
    let heading = "| \(corner) | \(RevenueSweep.kinds.joined(separator: " | ")) |"
    let rows = zip(sizes, outcomes).map { size, outcome in
      "| \(Page.count(size)) | " + columns.map { cell(outcome, $0) }.joined(separator: " | ") + " |"
    }
    let from = columns.map { column in holdsFrom(outcomes, sizes, column) }
    return [heading, "|--:" + columns.map { _ in "|--:" }.joined() + "|"] + rows
      + ["| holds from | \(from.joined(separator: " | ")) |"]
  }

  private func cell(_ outcome: Study.Outcome, _ column: Int) -> String {
    let tally = outcome.tallies[column]
    let text = Percent.fixed(tally.share, decimals: 2)
    let unbounded = Double(tally.missing) / Double(max(1, tally.missing + tally.trials))
    let missing = unbounded >= 0.0005 ? " (\(Percent.digits(unbounded, decimals: 1)) % unbounded)" : ""
    return (outcome.study.figures[column].band.holds(tally.share) ? text : "**\(text)**") + missing
  }

  /// The smallest size from which on every one holds.
  private func holdsFrom(_ outcomes: [Study.Outcome], _ sizes: [Int], _ column: Int) -> String {
    let holds = outcomes.map { $0.study.figures[column].band.holds($0.tallies[column].share) }
    let last = holds.lastIndex(of: false).map { $0 + 1 } ?? 0
    return last < sizes.count ? Page.count(sizes[last]) : "beyond"
  }
}
