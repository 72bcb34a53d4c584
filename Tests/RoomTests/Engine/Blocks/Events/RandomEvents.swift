@testable import Domain
@testable import Engine

/// Events that say whatever the dice say.
enum RandomEvents {
  /// An event of which everything is told, or not, by the dice; its texts lie in `arena`.
  static func event(
    _ dice: inout Dice, _ names: EventNames, _ types: EventTypes, _ arena: TextArena
  ) -> PurchaseEvent {
    func name(_ kind: String, _ interner: Interner) -> UInt32 {
      dice.chance(0.3) ? Interner.none : interner.code(Identifier("\(kind) \(dice.below(5)) é"))
    }
    var event = PurchaseEvent()
    event.user = arena.copy(user(&dice).utf8)
    event.type = EventType(code: UInt16(dice.below(types.names.count)))
    event.time = Int64(dice.below(1 << 40)) - 1 << 39
    event.product = name("product", names.products)
    event.code = name("code", names.codes)
    event.loggedOffering = name("offering", names.offerings)
    event.loggedGroup = name("group", names.groups)
    event.currency = Currency(code: UInt16(dice.below(Currency.count + 1)))
    let number = { (dice: inout Dice) in Int64(truncatingIfNeeded: UInt64(dice.below(.max)) &* 3) }
    let time = event.time
    let later = { (dice: inout Dice) in time + Int64(dice.below(1 << 47)) - 1 << 46 }
    let share = { (dice: inout Dice) in Int64(dice.below(100_000_001)) }
    if dice.chance(0.7) { event.amountMicros = number(&dice) }
    if dice.chance(0.7) { event.key = Fingerprint((1, UInt64(dice.below(.max)), 2), space: 3) }
    if dice.chance(0.5) { event.transaction = event.key?.low } else if dice.chance(0.5) { event.transaction = 0 }
    if dice.chance(0.3) { event.chargeKey = UInt64.max - UInt64(dice.below(9)) }
    if dice.chance(0.3) { event.end = later(&dice) }
    if dice.chance(0.2) { event.version = number(&dice) }
    if dice.chance(0.2) { event.reportedAt = later(&dice) }
    if dice.chance(0.2) { event.rowStart = later(&dice) }
    if dice.chance(0.3) { event.chain = UInt32(dice.below(1 << 32)) }
    if dice.chance(0.3) { event.replacedChain = UInt32(dice.below(1 << 32)) }
    if dice.chance(0.3) { event.subscriptionGroup = UInt32(dice.below(1 << 32)) }
    if dice.chance(0.2) { event.dollars = number(&dice) }
    let flags: [WritableKeyPath<PurchaseEvent, Bool>] = [
      \.isShare, \.isNet, \.isNumbered, \.isRecoveredByRenewal, \.isDuplicated, \.isCompanion, \.isSandbox,
      \.isFamilyShared, \.reportsNoGrace, \.isVoid, \.namesNoPayment, \.isSingleRefund, \.isOfLatestCharge,
      \.isState,
    ]
    for flag in flags { event[keyPath: flag] = dice.chance(0.2) }
    let isNothing = event.isSandbox ? !event.isState : event.isFamilyShared
    if event.type.isCharge, event.product == Interner.none, !isNothing {
      event.product = names.products.code(Identifier("pass"))
    }
    if dice.chance(0.3) {
      var details = ChargeDetails(tax: dice.chance(0.5) ? share(&dice) : nil, commission: share(&dice))
      if dice.chance(0.5) { details.period = Period(months: Int64(1 + dice.below(12)), days: Int64(dice.below(30))) }
      if dice.chance(0.5) { details.paymentsLeft = Int64(dice.below(12)) }
      if dice.chance(0.5) { details.usualCommission = share(&dice) }
      details.isProrated = dice.chance(0.5)
      if dice.chance(0.5) { details.recurringMicros = Int64(dice.below(1 << 40)) }
      if dice.chance(0.5) {
        details.split = PriceSplit(
          price: 9_990_000, tax: dice.chance(0.5) ? 800_000 : nil, proceeds: dice.chance(0.5) ? 7_641_500 : nil)
      }
      var packed: [UInt8] = []
      Array("store \(dice.below(3))".utf8).withText { PackedValues.append($0, of: 1, to: &packed) }
      if dice.chance(0.5) { details.attributes = packed.withText { names.attributes.code($0) } }
      event.details = names.details.number(of: details)
    }
    return event
  }

  private static func user(_ dice: inout Dice) -> String {
    let uuid = "6b3ddd0b-4715-ae2d-f0a6-556d4f372b4\(dice.below(10))"
    return switch dice.below(5) {
    case 0: uuid
    case 1: uuid.uppercased()
    case 2: String(uuid.dropLast(dice.below(2))) + "F"
    default: "\(String(repeating: "u", count: dice.below(3)))\(dice.below(40))"
    }
  }
}
