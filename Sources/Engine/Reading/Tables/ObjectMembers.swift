/// The members of a JSON object of which nobody has said what it holds; none where the bytes are no object.
package struct ObjectMembers {
  private let object: [UInt8]

  /// - Parameter object: blanks may stand before it.
  package init(_ object: [UInt8]) {
    self.object = Array(object.drop { $0 <= 0x20 })
  }

  /// As they were typed.
  package var names: [String] { object.withText { Field($0, .other).memberNames } }

  /// As they were typed, one a name, from its first byte that is not blank.
  package var values: [[UInt8]] {
    object.withText { Field($0, .other).memberValues.map { Array($0.drop { $0 <= 0x20 }) } }
  }

  /// The names of members of members, be those objects or texts that hold one: `data.price`.
  package var dottedNames: [String] { object.withText { Field($0, .other).dottedNames } }
}
