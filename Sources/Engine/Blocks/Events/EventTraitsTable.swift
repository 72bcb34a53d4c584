/// Traits of events by number: a log has some hundred different ones.
///
/// One thread adds to it while it reads; afterwards all read it.
final class EventTraitsTable: @unchecked Sendable {
  private var traits = RecordBuffer<EventTraits>()
  private var numbers: [EventTraits: UInt32] = [:]
  /// The last ones asked for: rows side by side repeat few of them, and finding one here takes no dictionary.
  private var recent = RecordBuffer<Recent>()

  private struct Recent: BitwiseCopyable {
    var traits = EventTraits()
    var number = UInt32.max
  }

  private static let recentCount = 64

  init() { recent.fill(with: Recent(), count: Self.recentCount) }

  var all: RecordSpan<EventTraits> { traits.span }

  /// The traits with a number.
  subscript(number: UInt32) -> EventTraits {
    @inline(__always) get { traits.span[Int(number)] }
  }

  @inline(__always)
  func number(of traits: EventTraits) -> UInt32 {
    let last = recent.span[Int(truncatingIfNeeded: traits.mixed >> 58)]
    return last.number != .max && last.traits == traits ? last.number : add(traits)
  }

  private func add(_ traits: EventTraits) -> UInt32 {
    let number = numbers[traits] ?? UInt32(self.traits.count)
    if number == self.traits.count {
      numbers[traits] = number
      self.traits.append(traits)
    }
    recent.span[Int(truncatingIfNeeded: traits.mixed >> 58)] = Recent(traits: traits, number: number)
    return number
  }

  /// Forgets all of them and keeps their memory.
  func removeAll() {
    traits.removeAll()
    numbers.removeAll(keepingCapacity: true)
    recent.fill(with: Recent(), count: Self.recentCount)
  }
}
