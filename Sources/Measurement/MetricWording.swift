import Domain

/// How a metric is said: its name for people, and what a group does that has more of it than the baseline, or less.
///
/// In the sentences `{}` stands for the lift without its sign, `94 %`:
///
///     MetricWording("Net revenue per user", "earns", less: "per user").more == "earns {} more per user"
package struct MetricWording: Sendable, Hashable {
  /// A noun on one line, `Net revenue per user, 30 days`.
  package var label: String
  /// The name within a sentence, without its window: `net revenue per user`.
  package var noun: String
  /// What follows a group's name where its value is higher.
  package var more: String
  /// What follows it where its value is lower.
  package var less: String
  /// A group's value in a clause: `{}` is the value, `{users}` whom the night counts: `{} of {users} paid`.
  package var seen: String

  package init(label: String, more: String, less: String) {
    (self.label, self.more, self.less) = (label, more, less)
    noun = Self.withinSentence(label)
    seen = "\(noun) came to {}"
  }

  /// A name of which nothing else is known: its sentences go with any.
  package init(_ label: String) {
    self.init(label: label, more: "is {} higher in \(label)", less: "is {} lower in \(label)")
  }

  /// Of things that are counted: `wins {} more paying users`, `wins {} fewer paying users`.
  package init(_ label: String, _ verb: String, fewer things: String) {
    self.init(label: label, more: "\(verb) {} more \(things)", less: "\(verb) {} fewer \(things)")
  }

  /// Of amounts: `earns {} more per user`, `earns {} less per user`.
  package init(_ label: String, _ verb: String, less amount: String) {
    self.init(label: label, more: "\(verb) {} more \(amount)", less: "\(verb) {} less \(amount)")
  }

  /// The same with the clause of a group's value.
  package func seen(_ clause: String) -> Self {
    var wording = self
    wording.seen = clause
    return wording
  }

  /// Events as a job's owner would write them: `“purchase cancelled” and “purchase failed”`.
  package static func events(_ types: [String]) -> String {
    Phrase.list(types.map { "“\(PrintableText.escaped($0).replacing("_", with: " "))”" })
  }

  /// The name as it stands within a sentence: what begins with a capital and is no abbreviation begins small.
  private static func withinSentence(_ label: String) -> String {
    guard let second = label.dropFirst().first, second.isLowercase || second == "-" else { return label }
    return label.prefix(1).lowercased() + label.dropFirst()
  }

  /// What a group with such a lift does: `earns 94 % more per user`, `earns about 94 % more per user`.
  package func clause(lift: Double, isAbout: Bool = false) -> String {
    let sentence = lift < 0 ? less : more
    guard let position = sentence.firstRange(of: "{}") else { return sentence }
    let size = (isAbout ? "about " : "") + Phrase.spoken(lift)
    return sentence[..<position.lowerBound] + size + sentence[position.upperBound...]
  }
}
