/// The sums of one group's users by the value of one attribute, while a partition's users are added.
struct SegmentPlaces {
  /// By a value's number, no value being the last before 0: where its sums stand among `sums`, from 1.
  private var places: [Int32] = [0]
  private(set) var values: [UInt32] = []
  private(set) var sums: [SegmentAccumulator] = []

  /// Where a value's sums stand, which may be new.
  @inline(__always)
  mutating func place(of value: UInt32, metrics: Int) -> Int {
    let number = Int(value &+ 1)
    if number < places.count, places[number] > 0 { return Int(places[number]) - 1 }
    return add(value, number, metrics)
  }

  private mutating func add(_ value: UInt32, _ number: Int, _ metrics: Int) -> Int {
    if number >= places.count {
      places += [Int32](repeating: 0, count: max(number + 1, places.count * 2) - places.count)
    }
    values.append(value)
    sums.append(SegmentAccumulator(metrics: metrics))
    places[number] = Int32(sums.count)
    return sums.count - 1
  }

  /// Changes the sums at a place.
  @inline(__always)
  mutating func update(_ place: Int, _ change: (inout SegmentAccumulator) -> Void) { change(&sums[place]) }
}
