import Jobs
import Measurement

/// What a group's users bought between their assignment and the cut-off, by what the logs tell of the charges'
/// attributes.
struct AttributeTally: Tally {
  /// By attribute, then by the number of its value.
  private(set) var sums: [[UInt32: ProductSales.Sums]]
  /// By attribute: how many users bought with just these several values, which are in order of their numbers.
  private(set) var several: [[[UInt32]: Int]]

  static let parts: [TallyPart<Self>] = [
    TallyPart("attributes", \.sums, count: { $0.chargeValues.count }) { $2.knows(chargeValue: $0, of: $1) },
    TallyPart("attributes", \.several, count: { $0.chargeValues.count }) { values, attribute, shape in
      values.allSatisfy { shape.knows(chargeValue: $0, of: attribute) }
    },
  ]

  init(attributes: Int) {
    sums = Array(repeating: [:], count: attributes)
    several = Array(repeating: [:], count: attributes)
  }

  mutating func add(_ user: UserHistory, from start: Int64) {
    guard !sums.isEmpty else { return }
    var seen: [UInt32] = []
    for attribute in sums.indices {
      seen.removeAll(keepingCapacity: true)
      for (number, charge) in user.charges.enumerated() where charge.time >= start {
        let value = user.attributeValues[number * sums.count + attribute]
        let isNew = !seen.contains(value)
        if isNew { seen.append(value) }
        sums[attribute][value, default: ProductSales.Sums()].add(charge, isNew: isNew, isFirst: false)
      }
      if seen.count > 1 { several[attribute][seen.sorted(), default: 0] += 1 }
    }
  }
}
