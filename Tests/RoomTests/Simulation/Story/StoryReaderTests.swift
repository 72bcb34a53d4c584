import Testing

@testable import Domain
@testable import Jobs
@testable import Simulation

@Suite("A story in a scenario file")
struct StoryReaderTests {
  @Test("is read with shares for each group, delays in seconds, and products by name")
  func reads() throws {
    let scenario = try StoryWorld.scenario()
    let story = try #require(scenario.story)
    let seen = story.steps[0]
    #expect(seen.event == "plan_view" && seen.delaySeconds == 5...3600)
    #expect(
      seen.next.map { $0.entries.map(\.share.partsPerBillion) } == [
        [200_000_000, 200_000_000, 100_000_000], [300_000_000, 200_000_000, 100_000_000],
      ])
    #expect(story.steps[seen.beside[0].step].name == "seen_again")
    #expect(story.currencies.map(\.code) == ["USD", "JPY"])
    #expect(story.currencies[1].prices == [700_000_000, 7_000_000_000, 150_000_000])
    let start = try #require(story.oldClientStart)
    #expect(story.steps[start].event == "no_offering")
    // Google Play and Stripe would give all other formats their ids.
    let others = Story.Format.allCases.filter { !$0.rawValue.hasPrefix("google-play") && $0 != .stripeEvents }
    #expect(story.outputs.map(\.format) == others)
  }

  /// What is changed in the story, and what the message must then contain.
  static let faults: [(from: String, to: String, message: String)] = [
    (
      "then: {upgraded: 0.2", "then: {upgradet: 0.2", "\"upgradet\" is none of life's steps; did you mean \"upgraded\"?"
    ),
    ("control: 0.2, other: 0.3", "control: 0.2", "bought needs other:"),
    ("control: 0.2, other: 0.3", "control: 0.2, other: 0.9", "the shares of step seen add up to more than 1"),
    ("after: 5s..1h", "after: 1h..5s", "\"1h..5s\" is not a length of time; write 90s, or from..to such as 5s..2m"),
    ("after: 5s..1h", "after: soon", "\"soon\" is not a length of time"),
    ("from: period_end, state: expired", "from: the_end, state: expired", "\"the_end\" is none of previous, assigned"),
    ("state: in_trial", "state: trying", "\"trying\" is none of refunded, billing_retry"),
    ("product: year", "product: years", "\"years\" is none of the scenario's products; did you mean \"year\"?"),
    ("{JPY: \"150\"}", "{EUR: \"1\"}", "product day has no price in JPY; add prices: {JPY: …}."),
    ("format: events,", "format: event,", "\"event\" is none of events, events-csv"),
    ("format: events,", "format: of-another-store,", "\"of-another-store\" is none of events, events-csv"),
    ("sum: net", "did: [bought], sum: net", "truth net_30d needs either did: with steps, or sum:."),
    ("within: 16d", "within: soon", "\"soon\" is not a length of time; write it as 30d or 24h."),
    ("path: events.jsonl.gz}", "path: events.jsonl.gz, shards: 2}", "\"events.jsonl.gz\" needs a * for the number"),
    ("rates: {JPY: \"0.007\"}", "rates: {JPY: cheap}", "\"cheap\" is not a rate"),
    ("life:", "lives:", "only a scenario with life: has this"),
    ("sum: credits,", "sum: balance,", "credits counts credits that are spent; say how in credits:."),
    ("product: year,", "product: year, paywall: {a: 0.6, b: 0.6},", "the shares of paywall add up to more than 1"),
    ("aliases:", "credits: {starting: 6, spent_by: scan}\naliases:", "credits needs within:"),
    (
      "aliases:", "credits: {spent_by: scan, all: 0.6, none: 0.6, within: 9d}\naliases:",
      "the shares of credits add up to more than 1"
    ),
    ("server: offerings, ", "", "outputs needs server:"),
    ("server: offerings", "server: shop", "\"shop\" is none of offerings, plan, tiers"),
    ("aliases:", "account_tokens: {}\naliases:", "account_tokens needs absent:"),
    (
      "aliases:", "tables: {assignments: ids, catalog: none}\naliases:",
      "ids are those of the catalog's tables; say catalog: tables, or assignments: csv."
    ),
    (
      "path: events.csv.gz}", "path: events.csv.gz, columns: {id: user}}",
      "\"user\" is none of eventId, userId, eventType, occurredAt"
    ),
    ("price: \"49.99\",", "price: \"49.99\", intro: {price: \"9.99\"},", "intro needs period:"),
    (
      "price: \"49.99\",", "price: \"49.99\", intro: {price: \"9.99\", period: P1M},",
      "product year has no price in JPY; add prices: {JPY: …}."
    ),
    ("path: events.jsonl.gz}", "path: events.jsonl.gz, dirt: {forget: 0.1}}", "dirt has no key \"forget\""),
    (
      "path: events.jsonl.gz}", "path: events.jsonl.gz, users: {store: play}}",
      "store: none of the scenario's attributes has this name; it has none."
    ),
  ]

  @Test("names users by attributes and values that the scenario has")
  func users() throws {
    let stores = (from: "aliases:", to: "attributes: {store: {a: 0.3, b: 0.7}}\naliases:")
    let yaml = StoryWorld.yaml.replacing(stores.from, with: stores.to)
    func story(_ value: String) throws -> Scenario {
      let reported = yaml.replacing("path: events.jsonl.gz}", with: "path: events.jsonl.gz, users: {store: \(value)}}")
      return try Scenario(yaml: reported, file: "story.yml")
    }
    let scenario = try story("b")
    let users = try #require(scenario.story?.outputs.first?.users)
    let chosen = (0..<1000 as Range<UInt32>).filter { users.include($0, of: scenario) }
    #expect(chosen.count > 640 && chosen.count < 760)
    #expect(chosen.allSatisfy { scenario.attributes(of: $0) == ["b"] })
    let error = #expect(throws: OfferliftError.self) { try story("c") }
    #expect(error?.message.contains("store: \"c\" is none of a, b.") == true, "\(error?.message ?? "")")
  }

  @Test("is refused with file, line and remedy", arguments: faults)
  func refuses(fault: (from: String, to: String, message: String)) throws {
    let yaml = StoryWorld.yaml.replacing(fault.from, with: fault.to, maxReplacements: 1)
    #expect(yaml != StoryWorld.yaml)
    let error = #expect(throws: OfferliftError.self) { try Scenario(yaml: yaml, file: "story.yml") }
    #expect(error?.message.contains("story.yml, line ") == true)
    #expect(error?.message.contains(fault.message) == true, "\(error?.message ?? "")")
  }
}
