import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Publishing

@Suite("The summary's answers to the owner's questions")
struct SummaryQuestionsTests {
  /// The line that answers `question`.
  private func answer(_ night: NightResult, _ question: Question) throws -> String {
    var asked = night
    asked.questions = [question]
    let lines = Summary.text(of: NightStory(of: asked)).split(separator: "\n")
    return String(
      try #require(lines.first { $0.hasPrefix("- **\(question.text)** ") }).dropFirst(question.text.count + 7))
  }

  @Test("A funnel's answer tells who came to its end, with and without the event that parts it")
  func funnel() throws {
    let night = try CountedNight.night({ tables, group in
      tables.funnels = [FunnelCounts(users: group == 0 ? [0, 0] : [550, 110], split: group == 0 ? nil : [400, 90])]
    }) { $0.splitBy = "nudge_sent" }
    #expect(
      try answer(night, Question(text: "Nudged?", funnels: ["pay"])) == """
        of those who began funnel pay, purchase was reached by 20 % of group_a, by nudge_sent, which nobody drew lots \
        for: with it 22.5 % of group_a; without it, or before it came, 13.3 % of group_a; its steps below
        """)
    #expect(try answer(night, Question(text: "Other?", funnels: ["other"])) == "funnel other below")
  }

  @Test("Groups are told from the baseline on, whatever their names")
  func baselineFirst() throws {
    var night = try CountedNight.night { tables, group in
      tables.funnels = [FunnelCounts(users: group == 0 ? [500, 50] : [550, 110])]
    }
    for index in night.groupMetrics.indices {
      night.groupMetrics[index].isBaseline = night.groupMetrics[index].key.group == "group_a"
    }
    #expect(
      try answer(night, Question(text: "Who?", funnels: ["pay"]))
        == "of those who began funnel pay, purchase was reached by 20 % of group_a and 10 % of control; its steps below"
    )
  }

  @Test("A metric's answer tells each group's value, and of a balance who has nothing left")
  func metric() throws {
    var night = try CountedNight.night({ _, _ in })
    for index in night.groupMetrics.indices { night.groupMetrics[index].zeroUsers = 250 }
    #expect(
      try answer(night, Question(text: "Left?", metrics: [HandMade.conversion.request.id])) == """
        paying_conversion_7d: control 10 % (250 users at 0, 25 %), group_a 10 % (0 %, inconclusive, 250 users at 0, \
        25 %)
        """)
  }

  @Test("Failed receipts are answered by their rates")
  func failures() throws {
    let night = try CountedNight.night { tables, _ in
      let counts = FailureTally.Counts(events: 6, transactions: 5, users: 2)
      tables.failures = [
        FailureCount(event: "purchase_failed", code: "E7", counts: counts),
        FailureCount(event: "validation_failed", code: "21003", isOfReceipt: true, counts: counts),
      ]
      tables.receipts = 50
    }
    #expect(
      try answer(night, Question(text: "Why?", tables: [.failures]))
        == "validation_failed 21003: 10 % of control's and 10 % of group_a's receipts; failures below")
  }

  @Test("Users outside are told with what they paid, and tables that have nothing to tell are not named")
  func outside() throws {
    var night = try CountedNight.night({ _, _ in })
    night.outside = CountedNight.outside
    #expect(
      try answer(night, Question(text: "Old ones?", tables: [.outside, .displayPrices, .trialDays, .states])) == """
        outside, logged as VAR\\|1: 16 of 345 users paid (4.64 %), 1.01 USD net a user; outside, logged as o: 0 of 0 \
        users paid; beside the groups below, but no lots were drawn for who is outside; states below
        """)
  }

  @Test("Attributes of charges are named, and nothing is said where no charge tells one")
  func charges() throws {
    let question = Question(text: "Which paywall?", tables: [.chargesBy])
    #expect(
      try answer(try CountedNight.night(sales: CountedNight.sales), question) == "charges by paywall and store below")
    #expect(try answer(try CountedNight.night(sales: []), question) == "Nothing to tell yet.")
  }
}
