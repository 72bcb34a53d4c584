import Testing

@testable import Domain
@testable import Engine

@Suite("Charges in fewer bytes")
struct PlainChargeTests {
  private func event(_ dice: inout Dice) -> PurchaseEvent {
    var event = PurchaseEvent()
    event.type = dice.below(2) == 0 ? .purchase : .renewal
    event.time = Int64(dice.below(1 << 40))
    event.key = Fingerprint((1, dice.next(), 2), space: 3)
    if dice.below(2) == 0 { event.transaction = dice.next() }
    event.product = UInt32(dice.below(3))
    event.loggedOffering = UInt32(dice.below(2))
    event.loggedGroup = UInt32(dice.below(3))
    event.currency = dice.below(2) == 0 ? .dollar : Currency(code: 7)
    event.amountMicros = Int64(dice.below(20_000_000))
    if dice.below(2) == 0 { event.end = Int64(dice.below(1 << 41)) }
    event.chain = UInt32(dice.below(1 << 32))
    event.subscriptionGroup = UInt32(dice.below(3))
    event.details = UInt32(dice.below(4))
    event.isNet = dice.below(2) == 0
    event.isNumbered = dice.below(2) == 0
    event.isRetold = dice.below(2) == 0
    return event
  }

  @Test("What a plain charge tells comes back as it was")
  func whole() throws {
    var dice = Dice(seed: 3)
    let traits = CommonTraits<PlainCharge.Traits>()
    let records = (0..<2000).map { ChargeRecord(event(&dice), file: UInt32($0 % 5)).of(UInt32($0)) }
    let plain = try records.map { try #require(PlainCharge($0, user: $0.head.user, among: traits)) }
    for (record, plain) in zip(records, plain) {
      let back = plain.whole(traits)
      #expect(back.repeats(record))
      #expect(
        (back.head.time, back.head.user, back.head.file) == (record.head.time, record.head.user, record.head.file))
      #expect("\(back)" == "\(record)")
    }
    #expect(MemoryLayout<PlainCharge>.stride == 64)
  }

  @Test("A charge that tells more is kept whole")
  func more() {
    var dice = Dice(seed: 4)
    let traits = CommonTraits<PlainCharge.Traits>()
    var (snapshot, told, companion) = (event(&dice), event(&dice), event(&dice))
    snapshot.version = 3
    told.charged = ChargedPrice(micros: 5, currency: Currency(code: 9))
    companion.isCompanion = true
    for event in [snapshot, told, companion] {
      #expect(PlainCharge(ChargeRecord(event, file: 1), user: 1, among: traits) == nil)
    }
  }
}
