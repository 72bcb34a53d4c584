import Domain
import Statistics

/// The few looks at a test whose end is planned, and how its level is spent at them: the keys `looks` and `spending`.
package struct LookSchedule: Sendable, Hashable {
  package enum Time: Sendable, Hashable {
    /// Once this part of the plan is over.
    case share(Double)
    /// At the end of this local day.
    case day(Int64)
  }

  /// In their order; the plan's end is the last look, whether it is among them or not.
  package var times: [Time]
  package var spending = SpendingFunction.oBrienFleming

  package static let usual = "[0.25, 0.5, 0.75, 1]"
  /// More looks than this are nightly ones.
  package static let most = 50

  package init(_ times: [Time], spending: SpendingFunction = .oBrienFleming) {
    (self.times, self.spending) = (times, spending)
  }

  /// What is wrong with looks or a spending, and what to write.
  package struct Problem: Error {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
  }

  /// Reads shares of the plan, or dates, as a job or an option has them.
  package init(_ texts: [String]) throws(Problem) {
    var times: [Time] = []
    for text in texts {
      if let share = Double(text), share > 0, share <= 1 {
        times.append(.share(share))
      } else if let day = TimeText.day(text) {
        times.append(.day(day))
      } else {
        throw Problem(
          "\"\(text)\" is neither a part of the plan nor a date; write \(Self.usual) or [2026-03-15].")
      }
    }
    guard (1...Self.most).contains(times.count) else {
      throw Problem("\(Phrase.count(times.count, "look")) cannot be planned; write \(Self.usual).")
    }
    for (index, pair) in zip(times, times.dropFirst()).enumerated() where !Self.isEarlier(pair.0, pair.1) {
      throw Problem(
        "\(texts[index + 1]) does not come after \(texts[index]); write parts of the plan or dates, in order.")
    }
    self.init(times)
  }

  private static func isEarlier(_ one: Time, _ other: Time) -> Bool {
    switch (one, other) {
    case (.share(let one), .share(let other)): one < other
    case (.day(let one), .day(let other)): one < other
    case (.share, .day), (.day, .share): false
    }
  }

  /// The part of the plan that is over at each look, the last one 1: dates count as equally far apart, for when the test
  /// begins a plan does not know.
  package var shares: [Double] {
    let shares = times.enumerated().map { index, time in
      if case .share(let share) = time { share } else { Double(index + 1) / Double(times.count + 1) }
    }
    return shares.last == 1 ? shares : shares + [1]
  }
}

extension LookSchedule {
  /// As it is published: `looks at 0.25 0.5 1, spending obrien_fleming`.
  var text: String {
    let looks = times.map { time in
      switch time {
      case .share(let share): String(share)
      case .day(let day): CivilDate(day: day).description
      }
    }
    return "looks at \(looks.joined(separator: " ")), spending \(spending.word)"
  }
}

extension Job {
  /// When the test is to end and at which looks it is decided, as it is published: `28 nights`, or behind that its looks; nil
  /// without a plan.
  package var planText: String? {
    plan.map { ([$0.text] + (looks.map { [$0.text] } ?? [])).joined(separator: ", ") }
  }
}

/// How `spending` names the functions there are.
extension SpendingFunction {
  package static let words = ["obrien_fleming", "pocock"]
  /// γ of Hwang, Shih and DeCani's.
  package static let gammas = -40.0...40

  /// `obrien_fleming`, `pocock` or `hsd:-4`.
  var word: String {
    switch self {
    case .oBrienFleming: "obrien_fleming"
    case .pocock: "pocock"
    case .hwangShihDeCani(let gamma): "hsd:\(gamma)"
    }
  }

  /// Reads it.
  package init(word: String) throws(LookSchedule.Problem) {
    if word == "obrien_fleming" {
      self = .oBrienFleming
    } else if word == "pocock" {
      self = .pocock
    } else if word.hasPrefix("hsd:"), let gamma = Double(word.dropFirst(4)), Self.gammas.contains(gamma) {
      self = .hwangShihDeCani(gamma: gamma)
    } else {
      throw LookSchedule.Problem("\"\(word)\" is no spending; type obrien_fleming, pocock or hsd:-4.")
    }
  }
}
