import Measurement

/// Which numbers stand for a name of the run: of others, what comes from elsewhere may not speak.
extension MeasurementPlan {
  func knows(product: UInt32) -> Bool { product < history.facts.ids.count }

  func knows(offering: UInt32) -> Bool { offering < history.names.offerings.count }

  func knows(group: UInt32) -> Bool { group < history.names.groups.count }

  func knows(_ key: GroupKey) -> Bool { knows(offering: key.offering) && knows(group: key.group) }

  /// - Parameter split: an attribute, or after these the phases and days of assignment, whose values have no names.
  func knows(value: UInt32, of split: Int) -> Bool {
    split >= attributes.count || value == Interner.none || value < history.names.values[split].count
  }

  func knows(chargeValue value: UInt32, of attribute: Int) -> Bool {
    value == Interner.none || value < tables.details.values[attribute].count
  }

  func knows(_ type: EventType) -> Bool { type.code < history.types.names.count }

  func knows(code: UInt32) -> Bool { code < history.names.codes.count }
}
