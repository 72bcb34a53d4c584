import Domain
import Jobs

/// Writes rows of the purchase log as JSON Lines, the `events` format.
///
/// How a line looks is drawn from the event itself, so that an exact duplicate is the same bytes again.
struct EventLine: Sendable {
  let scenario: Scenario
  let names: UserName
  /// The products' and groups' names as JSON, escaped once.
  private let products: [[UInt8]]
  private let groups: [[UInt8]]
  private let offering: [UInt8]
  private let currency: [UInt8]

  init(_ scenario: Scenario) {
    self.scenario = scenario
    names = UserName(scenario)
    products = scenario.products.map { Self.json($0.id) }
    groups = (scenario.groups + scenario.oldGroups).map { Self.json($0.name) }
    offering = Self.json(scenario.offering.id)
    currency = Self.json(scenario.currency)
  }

  private static func json(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.write(json: text)
    return bytes
  }

  /// Writes the event's line, without its end.
  func write(_ event: SimulatedEvent, to bytes: inout [UInt8]) {
    var draws = SeededGenerator(
      seed: scenario.seed, stream: .style, index: UInt64(event.user) << 16 | UInt64(event.ordinal))
    let start = bytes.count
    bytes.write("{")
    writeWhoAndWhen(event, &draws, to: &bytes)
    writeMoney(event, &draws, to: &bytes)
    writeTest(event, to: &bytes)
    writeSurroundings(event, &draws, to: &bytes)
    bytes[bytes.count - 1] = UInt8(ascii: "}")
    spoil(event, from: start, &draws, in: &bytes)
  }

  // MARK: - Parts of a line; each ends with a comma

  private func writeWhoAndWhen(
    _ event: SimulatedEvent, _ draws: inout SeededGenerator, to bytes: inout [UInt8]
  ) {
    let lost = event.dirt == .missingField ? draws.below(3) : 3
    bytes.write("\"eventId\":\"e-")
    bytes.write(hex: event.id(seed: scenario.seed))
    bytes.write("\",")
    if lost != 0 {
      bytes.write("\"userId\":\"")
      names.write(event.user, to: &bytes)
      bytes.write("\",")
    }
    if lost != 1 {
      bytes.write("\"eventType\":\"")
      bytes.write(event.dirt == .unknownEventType ? "subscription_paused" : event.kind.eventType)
      bytes.write("\",")
    }
    guard lost != 2 else { return }
    bytes.write("\"occurredAt\":\"")
    writeTime(event, &draws, to: &bytes)
    bytes.write("\",")
  }

  private func writeTime(_ event: SimulatedEvent, _ draws: inout SeededGenerator, to bytes: inout [UInt8]) {
    guard event.dirt != .badTime else { return bytes.write(InvalidValues.times.chosen(&draws)) }
    let offsetHours: Int64 = draws.happens(scenario.lineStyle.offsets) ? draws.within(-8...9) : 0
    bytes.write(secondOf: Instant(milliseconds: event.time.milliseconds + offsetHours * 3_600_000))
    writeFraction(UInt64(event.time.milliseconds % 1000), &draws, to: &bytes)
    guard offsetHours != 0 else { return bytes.write("Z") }
    bytes.write(offsetHours < 0 ? "-" : "+")
    bytes.write(UInt64(offsetHours.magnitude), width: 2)
    bytes.write(":00")
  }

  /// Milliseconds, with up to six further digits that a reader must take and drop.
  private func writeFraction(
    _ milliseconds: UInt64, _ draws: inout SeededGenerator, to bytes: inout [UInt8]
  ) {
    guard milliseconds > 0 else { return }
    bytes.write(".")
    bytes.write(milliseconds, width: 3)
    switch draws.below(3) {
    case 0: bytes.write(draws.below(1000), width: 3)
    case 1: bytes.write(draws.below(1_000_000), width: 6)
    default: break
    }
  }

  private func writeMoney(_ event: SimulatedEvent, _ draws: inout SeededGenerator, to bytes: inout [UInt8]) {
    guard event.kind != .view else { return }
    bytes.write("\"productId\":")
    bytes += products[Int(event.product)]
    bytes.write(",")
    if let price = scenario.price(of: event) {
      writePrice(price, event, &draws, to: &bytes)
      bytes.write("\"currency\":")
      if event.dirt == .badCurrency {
        bytes.write(InvalidValues.currencies.chosen(&draws))
      } else {
        bytes += currency
      }
      bytes.write(",")
    }
    bytes.write("\"transactionId\":\"")
    write(transaction: event.charge, of: event.user, to: &bytes)
    bytes.write("\",\"originalTransactionId\":\"")
    write(transaction: event.dirt.isOwnEvent ? event.charge : 1, of: event.user, to: &bytes)
    bytes.write("\",")
  }

  private func writePrice(
    _ price: Int64, _ event: SimulatedEvent, _ draws: inout SeededGenerator, to bytes: inout [UInt8]
  ) {
    if event.dirt == .missingPrice {
      return bytes.write(draws.below(2) == 0 ? "" : "\"price\":null,")
    }
    bytes.write("\"price\":")
    if event.dirt == .badPrice {
      bytes.write(InvalidValues.prices.chosen(&draws))
    } else if draws.happens(scenario.lineStyle.numberPrices) {
      bytes.write(priceMicros: price)
    } else {
      bytes.write("\"")
      bytes.write(priceMicros: price)
      bytes.write("\"")
    }
    bytes.write(",")
  }

  private func write(transaction charge: UInt16, of user: UInt32, to bytes: inout [UInt8]) {
    bytes.write("2")
    bytes.write(UInt64(user) << 12 | UInt64(charge), width: 14)
  }

  private func writeTest(_ event: SimulatedEvent, to bytes: inout [UInt8]) {
    guard let group = event.group else { return }
    if group < scenario.groups.count {
      bytes.write("\"offeringId\":")
      bytes += offering
      bytes.write(",")
    }
    bytes.write("\"testGroupId\":")
    bytes += groups[Int(group)]
    bytes.write(",")
  }

  private func writeSurroundings(
    _ event: SimulatedEvent, _ draws: inout SeededGenerator, to bytes: inout [UInt8]
  ) {
    let isProduction = event.dirt != .sandbox
    if !isProduction || event.dirt == .familyShared || !draws.happens(scenario.lineStyle.noEnvironment) {
      bytes.write("\"environment\":\"")
      bytes.write(isProduction ? "Production" : InvalidValues.environments.chosen(&draws))
      bytes.write("\",\"ownershipType\":\"")
      bytes.write(event.dirt == .familyShared ? "FAMILY_SHARED\"," : "PURCHASED\",")
    }
    guard draws.happens(scenario.lineStyle.unknownKeys) else { return }
    bytes.write("\"sessionId\":\"")
    bytes.write(hex: draws.next())
    bytes.write("\",\"client\":{\"appVersion\":\"4.")
    bytes.write(draws.below(30))
    bytes.write("\",\"tags\":[\"paywall\",")
    bytes.write(draws.below(100))
    bytes.write("]},")
  }
}

extension SimulatedEvent {
  /// The event id's bits: one to one with user and number.
  fileprivate func id(seed: UInt64) -> UInt64 {
    let isRecorded = dirt == .duplicateLater && kind.isCharge
    let number = ordinal + (isRecorded ? Self.ownNumber : 0)
    return SeededGenerator.mixed(seed ^ (UInt64(user) << 16 | UInt64(number)))
  }
}

extension Scenario {
  /// The price that the event's line states; nil where it states none.
  fileprivate func price(of event: SimulatedEvent) -> Int64? {
    let price = products[Int(event.product)].priceMicros
    switch event.kind {
    case .purchase, .renewal, .oneTimePurchase: return price
    case .partialRefund: return Product.part(of: price)
    default: return nil
    }
  }
}
