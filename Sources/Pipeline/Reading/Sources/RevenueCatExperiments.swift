import CSimdjson

/// Reads which offering and group a purchase was logged with: the experiment and its variant where the customer was
/// enrolled in one, else the offering that was presented, which has no groups.
///
/// Of several enrolments the first one written counts: an event is logged with one offering.
struct RevenueCatExperiments {
  private var offerings: InternerCache
  private var groups: InternerCache
  private let object = JSONPieces(names: [])
  private let enrolment = JSONPieces(names: [
    "experiment_id", "price_experiment_id", "experiment_variant", "variant", "price_experiment_variant",
  ])

  /// Numbers of an offering and a group, `Interner.none` where none was logged.
  typealias Arm = (offering: UInt32, group: UInt32)

  init(names: EventNames) {
    offerings = InternerCache(names.offerings)
    groups = InternerCache(names.groups)
  }

  /// Gives back what the texts read so far point at.
  func forget() {
    object.forget()
    enrolment.forget()
  }

  /// What an export's row was logged with.
  ///
  /// - Parameter byLayer: from version 7 on, an object of lists of enrolments; what is not JSON names none.
  mutating func arm(
    offering: UnsafeBufferPointer<UInt8>, experiment: UnsafeBufferPointer<UInt8>,
    variant: UnsafeBufferPointer<UInt8>, byLayer: UnsafeBufferPointer<UInt8>
  ) -> Arm {
    if !experiment.isEmpty, !variant.isEmpty { return (offerings.code(experiment), groups.code(variant)) }
    if !byLayer.isEmpty, object.members(of: byLayer) != nil {
      for layer in JSONPieces.elements(of: byLayer) {
        if let arm = firstEnrolment(in: layer) { return arm }
      }
    }
    return (offerings.code(offering), Interner.none)
  }

  /// What a webhook was logged with; `lists` are arrays of enrolments, valid as JSON.
  mutating func arm(offering: UnsafeBufferPointer<UInt8>, lists: [UnsafeBufferPointer<UInt8>]) -> Arm {
    for list in lists {
      if let arm = firstEnrolment(in: list) { return arm }
    }
    return (offerings.code(offering), Interner.none)
  }

  /// The first enrolment of an array that names experiment and variant.
  private mutating func firstEnrolment(in list: UnsafeBufferPointer<UInt8>) -> Arm? {
    guard list.first == UInt8(ascii: "[") else { return nil }
    for element in JSONPieces.elements(of: list) {
      guard let fields = enrolment.members(of: element) else { continue }
      let id = (0..<2).lazy.map { fields[$0].string }.first { !$0.isEmpty }
      let variant = (2..<5).lazy.map { fields[$0].string }.first { !$0.isEmpty }
      if let id, let variant { return (offerings.code(id), groups.code(variant)) }
    }
    return nil
  }
}
