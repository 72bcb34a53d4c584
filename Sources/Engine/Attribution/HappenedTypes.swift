/// Which types of events befell a user, at a glance: most users have only seen a paywall, and most questions are about
/// something else.
struct HappenedTypes: BitwiseCopyable {
  /// A bit for each type; the types that come after the first 63 share the last.
  private var bits: UInt64 = 0

  init() {}

  init(_ types: EventType...) {
    for type in types { insert(type) }
  }

  private static func bit(of type: EventType) -> UInt64 { 1 << UInt64(min(type.code, 63)) }

  @inline(__always)
  mutating func insert(_ type: EventType) { bits |= Self.bit(of: type) }

  /// False where no event of the type happened; true where one may have.
  @inline(__always)
  func mayHold(_ type: EventType) -> Bool { bits & Self.bit(of: type) != 0 }

  /// False where no event of any of the types happened.
  @inline(__always)
  func mayHold(anyOf types: HappenedTypes) -> Bool { bits & types.bits != 0 }

  /// What says how a subscription's access goes on or ends.
  static let turns = HappenedTypes(.cancel, .uncancel, .expire, .billingRecovery, .billingRetry, .extend)
  /// What says when access ends.
  static let ends = HappenedTypes(.expire, .extend)
}
