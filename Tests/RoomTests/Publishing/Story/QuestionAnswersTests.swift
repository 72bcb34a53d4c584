import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Publishing

@Suite("The answers to the owner's questions")
struct QuestionAnswersTests {
  /// The sentences that answer `question`.
  private func answer(_ night: NightResult, _ question: Question) throws -> [String] {
    var asked = night
    asked.questions = [question]
    let story = try NightStory(of: asked)
    let offering = try #require(story.offerings.first { $0.offering == "spring" })
    return try #require(QuestionAnswers(story: story, offering: offering).all.first).sentences
  }

  @Test("A funnel's answer tells who came to its end, with and without the event that parts it")
  func funnel() throws {
    let night = try CountedNight.night({ tables, group in
      tables.funnels = [FunnelCounts(users: group == 0 ? [0, 0] : [550, 110], split: group == 0 ? nil : [400, 90])]
    }) { $0.splitBy = "nudge_sent" }
    #expect(
      try answer(night, Question(text: "Nudged?", funnels: ["pay"])) == [
        """
        Funnel pay, from plan_view to purchase: group_a 20 % (110 of 550). By nudge_sent, which nobody drew lots for: with it 22.5 % of group_a; without it, or before it came, 13.3 % of group_a.
        """
      ])
    #expect(try answer(night, Question(text: "Other?", funnels: ["other"])) == ["Nothing to tell yet."])
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
        == [
          "Funnel pay, from plan_view to purchase: group_a 20 % (110 of 550) and control 10 % (50 of 500)."
        ])
    night.funnelWindows = ["pay": 16 * Instant.millisecondsPerDay]
    let reported = try answer(night, Question(text: "Who?", funnels: ["pay"])).first
    #expect(reported?.hasPrefix("Funnel pay, from plan_view to purchase within 16 days: ") == true)
  }

  @Test("A metric's answer tells each group's value, and of a balance who has nothing left")
  func metric() throws {
    var night = try CountedNight.night({ _, _ in })
    for index in night.groupMetrics.indices { night.groupMetrics[index].zeroUsers = 250 }
    #expect(
      try answer(night, Question(text: "Left?", metrics: [HandMade.conversion.request.id])) == [
        """
        paying_conversion_7d: group_a's 10.0 % (100 of 1,000) is not shown to differ from control's 10.0 % (100 of \
        1,000). At 0: 250 (25 %) of control and 250 (25 %) of group_a.
        """
      ])
  }

  @Test("Failed receipts are answered by their rates")
  func failures() throws {
    let night = try CountedNight.night { tables, _ in
      let counts = FailureCount.Counts(events: 6, transactions: 5, users: 2)
      tables.failures = [
        FailureCount(event: "purchase_failed", code: "E7", counts: counts),
        FailureCount(event: "validation_failed", code: "21003", isOfReceipt: true, counts: counts),
      ]
      tables.receipts = 50
    }
    #expect(
      try answer(night, Question(text: "Why?", tables: [.failures]))
        == ["validation failed 21003: 10 % of control's and 10 % of group_a's receipts."])
  }

  @Test("Failures without a code are answered by their messages")
  func messages() throws {
    let night = try CountedNight.night { tables, _ in
      let counts = FailureCount.Counts(events: 6, transactions: 5, users: 2)
      tables.failures = ["", "Not found."].map {
        FailureCount(
          event: "validation_failed", code: "", message: Identifier($0), isOfReceipt: true, counts: counts)
      }
      tables.receipts = 50
    }
    #expect(
      try answer(night, Question(text: "Why?", tables: [.failures])) == [
        "validation failed without a code: 10 % of control's and 10 % of group_a's receipts; "
          + "validation failed, “Not found.”: 10 % of control's and 10 % of group_a's receipts."
      ])
  }

  @Test("Users outside are told with what they paid, and tables that have nothing to tell are not named")
  func outside() throws {
    var night = try CountedNight.night({ _, _ in })
    night.outside = CountedNight.outside
    let answers = try answer(
      night, Question(text: "Old ones?", tables: [.outside, .displayPrices, .trialDays, .states]))
    #expect(answers.count == 1)
    #expect(
      answers[0] == """
        Outside the test (logged as VAR|1) 16 of 345 users paid (4.64 %), 1.01 USD net a user. Outside the test (logged \
        as o) 0 of 0 users paid. Nobody drew lots for this: it is no randomized comparison, and the difference need not be an effect.
        """)
  }

  @Test("Who asks after displayed prices hears that none is known, and why nothing could be compared")
  func displayedPrices() throws {
    let question = Question(text: "Displayed?", tables: [.displayPrices], checks: ["display_price"])
    #expect(
      try answer(try CountedNight.night({ _, _ in }), question) == [
        "No catalog tells what is displayed, so no charge could be compared with it."
      ])
    let table = Question(text: "Displayed?", tables: [.displayPrices])
    let price = CurrencyAmount(micros: 1, currency: try #require(Currency(Array("EUR".utf8))))
    let night = try CountedNight.night { tables, _ in
      let counts = DisplayedCharges.Counts(charges: 9)
      tables.displayPrices = [DisplayedCharges(product: "p", displayed: price, counts: counts)]
    }
    #expect(
      try answer(night, table) == [
        "None of 18 charges is in the displayed price's currency, so none could be compared."
      ])
  }

  @Test("Attributes of charges are named, and nothing is said where no charge tells one")
  func charges() throws {
    let question = Question(text: "Which paywall?", tables: [.chargesBy])
    let reported = try answer(try CountedNight.night(sales: CountedNight.sales), question)
    #expect(
      reported == [
        "By paywall, most buyers: =a|b in group_a (2). \(ChargesByAttribute.note) "
          + "By store, most buyers: ios in group_a (3). \(ChargesByAttribute.note)"
      ])
    #expect(try answer(try CountedNight.night(sales: []), question) == ["Nothing to tell yet."])
  }
}
