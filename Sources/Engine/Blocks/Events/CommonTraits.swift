/// What one kind of plain records have in common, by number: a log has some hundred different ones.
///
/// One thread adds to it while it reads; afterwards all read it.
final class CommonTraits<Traits: RecordTraits>: @unchecked Sendable {
  private var records: [Traits.Record] = []
  private var numbers: [Traits: UInt32] = [:]
  /// The last one asked for of each hash: rows side by side repeat few of them, and finding one here takes no dictionary.
  private var lately = RecordBuffer<Lately>()

  private struct Lately: BitwiseCopyable {
    var traits = Traits()
    var number = UInt32.max
  }

  init() { lately.fill(with: Lately(), count: 64) }

  /// A record of which nothing is told but what has the number.
  subscript(number: UInt32) -> Traits.Record {
    @inline(__always) get { records[Int(number)] }
  }

  @inline(__always)
  func number(of traits: Traits) -> UInt32 {
    let last = lately.span[Int(traits.hash & 63)]
    return last.number != .max && last.traits == traits ? last.number : add(traits)
  }

  private func add(_ traits: Traits) -> UInt32 {
    let number = numbers[traits] ?? UInt32(records.count)
    if number == records.count {
      numbers[traits] = number
      records.append(traits.record)
    }
    lately.span[Int(traits.hash & 63)] = Lately(traits: traits, number: number)
    return number
  }
}

/// What many records have in common.
protocol RecordTraits: Hashable, BitwiseCopyable {
  associatedtype Record: EventRecord

  init()

  /// Tells most of those apart that come side by side.
  var hash: UInt32 { get }
  /// A record of which nothing is told but this.
  var record: Record { get }
}

/// A record that tells little beside what it has in common with many, in fewer bytes.
protocol PlainRecord: BitwiseCopyable {
  associatedtype Traits: RecordTraits

  var user: UInt32 { get }

  /// The whole record.
  func whole(_ traits: CommonTraits<Traits>) -> Traits.Record
}
