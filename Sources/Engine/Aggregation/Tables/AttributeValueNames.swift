import Domain
import Jobs
import Measurement

/// The names under which the values of charges' attributes are printed in an offering: those with the most charges in
/// all its groups by themselves, ties by name, the rest as `(other)`.
struct AttributeValueNames {
  private let attributes: [String]
  /// By attribute the printed name of each value.
  private let names: [[UInt32: Identifier]]

  /// - Parameter tallies: those of all the offering's groups.
  init(_ tallies: [AttributeTally], of details: ChargeDetailsIndex) {
    attributes = details.attributes
    names = details.attributes.indices.map { attribute in
      var charges: [UInt32: Int] = [:]
      for tally in tallies { for (value, sums) in tally.sums[attribute] { charges[value, default: 0] += sums.charges } }
      let named = charges.map { value, count in
        (value: value, count: count, name: value == Interner.none ? "(none)" : details.values[attribute][Int(value)])
      }
      .sorted { left, right in
        left.count == right.count ? (left.name, left.value) < (right.name, right.value) : left.count > right.count
      }
      return Dictionary(
        uniqueKeysWithValues: named.enumerated().map { position, own in
          (own.value, position < MeasurementBuilder.segmentsPerAttribute ? own.name : "(other)")
        })
    }
  }

  /// A group's sums under the names that are printed, by attribute and name.
  func sales(_ tally: AttributeTally) -> [AttributeSales] {
    attributes.indices.flatMap { attribute in
      var byName: [Identifier: ProductSales.Sums] = [:]
      for (value, sums) in tally.sums[attribute] {
        byName[names[attribute][value] ?? "(other)", default: ProductSales.Sums()].merge(sums)
      }
      // Whoever bought with several values of one name is one buyer of it.
      for (values, users) in tally.several[attribute] {
        let shown = Dictionary(grouping: values) { names[attribute][$0] ?? "(other)" }
        for (name, values) in shown { byName[name]?.buyers -= users * (values.count - 1) }
      }
      return byName.map { AttributeSales(attribute: Identifier(attributes[attribute]), value: $0.key, sums: $0.value) }
    }
    .sorted { ($0.attribute, $0.value) < ($1.attribute, $1.value) }
  }
}
