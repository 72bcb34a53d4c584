import Foundation
import Testing

@testable import Domain
@testable import Simulation

@Suite("What a story says is true")
struct StoryTruthTests {
  @Test("follows from its shares")
  func expected() throws {
    let story = try StoryWorld.context().story
    let shares = [0, 1].map { group in
      story.truths.map { StoryExpectation(story: story, group: group).share($0)?.sixDecimals }
    }
    #expect(shares == [["0.200000", "0.500000", nil, nil], ["0.300000", "0.500000", nil, nil]])
  }

  @Test("multiplies the rests of ways beside each other")
  func beside() throws {
    let changed = try StoryWorld.scenario([("did: [bought], window: 7d", "did: [bought, seen_again]")])
    let story = try #require(changed.story)
    #expect(StoryExpectation(story: story, group: 0).share(story.truths[0])?.sixDecimals == "0.600000")
  }

  @Test("is left unsaid where ways lead in circles")
  func circles() throws {
    let changed = try StoryWorld.scenario([
      ("then: {cancelled: 1}", "then: {renewed: 0.5, cancelled: 0.5}"), ("did: [bought]", "did: [ended]"),
    ])
    let story = try #require(changed.story)
    #expect(StoryExpectation(story: story, group: 0).share(story.truths[0]) == nil)
  }

  @Test("comes about, but for chance")
  func happened() throws {
    let (context, cast) = try cast()
    for group in 0..<2 {
      for (line, figure) in zip(context.story.truths, cast.count.figures[group]) {
        guard let share = StoryExpectation(story: context.story, group: group).share(line) else { continue }
        let expected = Double(share.partsPerBillion) / 1e9
        let found = Double(figure.value) / Double(figure.users)
        let error = (expected * (1 - expected) / Double(figure.users)).squareRoot()
        #expect(abs(found - expected) < 4 * error, "\(line.name): \(found), expected \(expected)")
      }
    }
  }

  @Test("counts money at the rate of the charge's day, refunds out, and credits of what was kept")
  func money() throws {
    let (context, cast) = try cast()
    let rates = try #require(context.story.rates)
    for group in 0..<2 {
      var net: Int128 = 0
      var credits: Int128 = 0
      for life in StoryWorld.lives(context) where life.isMeasured(in: group) {
        let end = life.person.assignedAt.milliseconds + 30 * 86_400_000
        for charge in life.events where charge.isCharge && charge.time.milliseconds < end {
          let rate = try #require(rates.rate(context.currency(charge), day: charge.time.utcDay))
          let accepted = charge.reversal?.micros ?? 0
          net += rounded(charge.priceMicros, rate) - rounded(accepted, rate)
          credits += accepted > 0 ? 0 : ["month": 30, "year": 400][context.product(charge)?.id] ?? 0
        }
      }
      #expect(cast.count.figures[group][2].value == net)
      #expect(cast.count.figures[group][3].value == credits)
    }
  }

  @Test("counts credits spent and left, and the users who have none left")
  func credits() throws {
    let truths = [
      "credits: {sum: credits, window: 30d}", "spent: {sum: spent, window: 30d}", "left: {sum: balance, window: 30d}",
    ]
    let (context, cast) = try cast([StoryWorld.spending, (from: truths[0], to: truths.joined(separator: "\n  "))])
    for group in 0..<2 {
      var (spent, left, zeros) = (0, 0, 0)
      for life in StoryWorld.lives(context) where life.isMeasured(in: group) {
        let end = life.person.assignedAt.milliseconds + 30 * 86_400_000
        let events = life.events.filter { $0.time.milliseconds < end }
        let scans = events.count { $0.type == "scan" }
        let retained = events.filter { $0.isCharge && $0.reversal == nil }
        let granted = retained.reduce(0) { $0 + (["month": 30, "year": 400][context.product($1)?.id] ?? 0) }
        spent += scans
        left += max(0, 6 + granted - scans)
        zeros += 6 + granted <= scans ? 1 : 0
      }
      let figures = cast.count.figures[group]
      #expect([figures[4].value, figures[5].value] == [Int128(spent), Int128(left)])
      #expect(figures[5].zeros == zeros && zeros > 100)
    }
  }

  /// Micros at a rate in billionths, by decimal arithmetic.
  private func rounded(_ micros: Int64, _ rate: Int64) -> Int128 {
    var exact = Decimal(micros) * Decimal(rate) / 1_000_000_000
    var whole = Decimal()
    NSDecimalRound(&whole, &exact, 0, .bankers)
    return Int128(NSDecimalNumber(decimal: whole).int64Value)
  }

  @Test("has one state for every measured user")
  func states() throws {
    let (_, cast) = try cast()
    for group in 0..<2 {
      #expect(cast.count.states[group].values.reduce(0, +) == cast.count.users[group])
      #expect(Set(cast.count.states[group].keys).isSubset(of: Story.states))
    }
    #expect(cast.count.users.reduce(0, +) + cast.count.twoGroupUsers == 3000)
    #expect(cast.count.unassignedUsers == 150)
  }

  @Test("has no rates on weekends but Friday's")
  func weekends() throws {
    let rates = try #require(try StoryWorld.context().story.rates)
    let friday = CivilDate(year: 2026, month: 1, dayOfMonth: 16).day
    #expect(rates.rate("JPY", day: friday + 1) == rates.rate("JPY", day: friday))
    #expect(rates.rate("JPY", day: friday + 2) == rates.rate("JPY", day: friday))
    #expect(rates.rate("JPY", day: friday + 3) != rates.rate("JPY", day: friday))
    #expect(rates.rate("USD", day: friday) == 1_000_000_000 && rates.rate("EUR", day: friday) == nil)
    let csv = String(decoding: rates.csv, as: UTF8.self)
    #expect(csv.contains("2026-01-16,JPY,0.00") && !csv.contains("2026-01-17"))
  }

  private func cast(_ changes: [(from: String, to: String)] = []) throws -> (StoryContext, StoryCast) {
    let context = try StoryWorld.context(changes)
    let formats = context.story.outputs.map { StoryFormats.format($0, context, nil) }
    return (context, try StoryCast(of: context, formats))
  }
}

extension StoryLife {
  fileprivate func isMeasured(in group: Int) -> Bool {
    !person.isOldClient && person.assignmentDirt != .twoGroups && person.behaviour == group
  }
}
