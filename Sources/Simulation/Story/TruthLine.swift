import Domain
import Jobs

/// A figure that a run of the story's logs must find: what share of whom did what, or a sum over the users.
struct TruthLine: Sendable {
  /// As the job's metric is called.
  var name: String
  /// Steps that make a user count; empty for every assigned user.
  var of: [Int]
  /// Steps of which one has to be reached.
  var did: [Int]
  var sum: Sum?
  /// Of a sum over charges: only those that this paywall sold; nil for all.
  var paywall: String?
  /// Of a sum of money; nil for the scenario's own.
  var currency: String?
  /// Days from the assignment in which it counts; nil up to the log's end.
  var windowDays: Int64?
  /// Those who count at all.
  var users: SomeUsers
  /// Milliseconds after the first step of `of` in which it counts.
  var within: Int64?

  enum Sum: String, Sendable, CaseIterable {
    case charges, gross, net, proceeds, credits
    /// The credits spent, and what is left of those to start with and those granted.
    case spent, balance
  }

  init(_ name: String, _ section: YAMLSection, _ reader: StepReader) {
    self.name = name
    of = Self.steps("of", section, reader)
    did = Self.steps("did", section, reader)
    sum = section.choice("sum", of: Sum.self)
    paywall = section.text("paywall")
    currency = section.text("currency")
    users = SomeUsers(section.section("users"), reader.scenario)
    windowDays = section.text("window") == nil ? nil : section.duration("window") / Instant.millisecondsPerDay
    within = section.text("within") == nil ? nil : section.duration("within")
    if did.isEmpty == (sum == nil) {
      section.problems.add(section.line, "\(section.name) needs either did: with steps, or sum:.")
    }
    section.finish()
  }

  private static func steps(_ key: String, _ section: YAMLSection, _ reader: StepReader) -> [Int] {
    (section.texts(key) ?? []).compactMap { reader.index(of: $0, line: section.line(of: key), section) }
  }
}

extension YAMLSection {
  /// Milliseconds of `30d` or `24h`.
  package func duration(_ key: String) -> Int64 {
    guard let text = text(key) else { return 0 }
    if let milliseconds = JobDuration.milliseconds(text) { return milliseconds }
    problem(key, "\"\(text)\" is not a length of time; write it as 30d or 24h.")
    return 0
  }
}
