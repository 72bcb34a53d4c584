import Testing

@testable import Domain
@testable import Simulation

@Suite("Scenario file")
struct ScenarioTests {
  /// The smallest scenario that says something.
  static let small = """
    seed: 7
    offering: {id: test}
    users: 1000
    enrolment: {from: 2026-03-01, to: 2026-03-11}
    until: 2026-05-01
    products:
      weekly: {kind: auto_renewable, type: weekly, price: "10", period: P1W}
      once: {kind: consumable, type: one_time, price: "2.50"}
    groups:
      control:
        weight: 1
        view_rate: 0.5
        renewal_rate: 0.5
        refund_rate: 0.1
        products:
          - {id: weekly, conversion: 0.2, is_default: true}
          - {id: once, conversion: 0.1}
      other:
        weight: 1
        view_rate: 0.5
        products:
          - {id: once, conversion: 0.1}

    """

  @Test("reads values, and leaves out what the file leaves out")
  func reads() throws {
    let scenario = try Scenario(yaml: Self.small, file: "small.yml")
    #expect(scenario.seed == 7)
    #expect(scenario.enrolmentFrom.rfc3339 == "2026-03-01T00:00:00Z")
    #expect(scenario.products.map(\.priceMicros) == [10_000_000, 2_500_000])
    #expect(scenario.products[0].periodDays == 7)
    #expect(scenario.groups.map(\.name) == ["control", "other"])
    #expect(scenario.groups[0].offers.map(\.product) == [0, 1])
    #expect(scenario.purchaseShards == 1)
    #expect(scenario.dirt.events.total == 0)
  }

  /// What is changed in the small scenario, and what the message must then contain.
  static let faults: [(from: String, to: String, message: String)] = [
    (
      "view_rate", "view_rats",
      "small.yml, line 12: group control has no key \"view_rats\"; did you mean \"view_rate\"?"
    ),
    ("seed: 7\n", "", "line 1: the scenario needs seed:."),
    ("conversion: 0.2", "conversion: 20%", "line 16: conversion: \"20%\" is not a share"),
    ("conversion: 0.2", "conversion: 0.95", "the shares of group control add up to more than 1"),
    ("price: \"10\"", "price: 10.999", "line 7: price: \"10.999\" is not a price"),
    ("kind: consumable", "kind: consumble", "\"consumble\" is none of auto_renewable"),
    (", period: P1W", "", "product weekly needs period:"),
    ("period: P1W", "period: weekly", "\"weekly\" is not a length of time; write it as P1W"),
    ("to: 2026-03-11", "to: 2026-03-01", "from: must lie before to:"),
    ("to: 2026-03-11", "to: 2026-02-30", "\"2026-02-30\" is not a date"),
    ("until: 2026-05-01", "until: 2026-03-02", "the log cannot end before enrolment does"),
    (
      "id: once, conversion: 0.1}\n  other", "id: onse}\n  other",
      "\"onse\" is none of the scenario's products; did you mean \"once\"?"
    ),
    ("users: 1000", "users: many", "line 3: users: \"many\" is not a whole number"),
    ("weight: 1", "weight: heavy", "\"heavy\" is not a weight"),
    (
      "groups:", "old_groups: {V: {weight: 0, products: [{id: once}]}}\ngroups:",
      "line 9: old_groups: every weight is zero"
    ),
    ("seed: 7", "seed: [7", "not YAML"),
  ]

  @Test("names file, line and remedy of a fault", arguments: faults)
  func refuses(fault: (from: String, to: String, message: String)) throws {
    let yaml = Self.small.replacing(fault.from, with: fault.to, maxReplacements: 1)
    #expect(yaml != Self.small)
    let error = #expect(throws: OfferliftError.self) { try Scenario(yaml: yaml, file: "small.yml") }
    #expect(error?.exit == .badJobFile)
    #expect(error?.message.contains(fault.message) == true, "\(error?.message ?? "")")
  }

  @Test("says everything that is wrong at once")
  func everything() {
    let yaml = Self.small.replacing("seed: 7", with: "seed: x").replacing(
      "view_rate: 0.5", with: "view_rate: 2")
    let error = #expect(throws: OfferliftError.self) { try Scenario(yaml: yaml, file: "small.yml") }
    #expect(error?.message.split(separator: "\n").count == 3)
  }

  @Test("says so when there is no such file")
  func missing() {
    let error = #expect(throws: OfferliftError.self) { try Scenario(contentsOf: "/nowhere/scenario.yml") }
    #expect(error?.exit == .inputMissing)
  }
}
