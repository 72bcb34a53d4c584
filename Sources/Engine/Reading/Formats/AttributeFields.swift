import Domain
import Jobs

/// Where the attributes of a purchase input stand among the fields that are read of its rows.
package struct AttributeFields {
  /// Those that feed no other field, to be read behind the format's own; one for each column.
  let extra: [ChargeAttribute]
  package let positions: [Position]

  /// The field that tells an attribute.
  package struct Position {
    /// The attribute's number in the job.
    package var attribute: Int
    package var field: Int
  }

  /// - Parameter own: what the input calls the fields that its format reads anyway: none is read twice.
  init(_ attributes: [ChargeAttribute], own: [String]) {
    var columns = own
    var extra: [ChargeAttribute] = []
    positions = attributes.map { attribute in
      if let known = columns.firstIndex(of: attribute.column) {
        return Position(attribute: attribute.number, field: known)
      }
      columns.append(attribute.column)
      extra.append(attribute)
      return Position(attribute: attribute.number, field: columns.count - 1)
    }
    self.extra = extra
  }

  /// Of so many fields those that an attribute needs.
  func isNeeded(_ fields: Int) -> [Bool] {
    (0..<fields).map { field in positions.contains { $0.field == field } }
  }
}

extension EventField {
  /// Where an input's attributes stand beside these fields.
  package static func attributes(of input: PurchaseInput) -> AttributeFields {
    AttributeFields(input.attributes, own: allCases.map { input.table.columns[$0.name] ?? $0.name })
  }
}
