/// The members of a JSON object of which nobody has said what it holds; none where the bytes are no object.
package struct ObjectMembers {
  /// As they were typed.
  package let names: [String]
  /// As they were typed, one a name, from its first byte that is not blank.
  package let values: [[UInt8]]
  /// The names of members of members, be those objects or texts that hold one: `data.price`.
  package let dottedNames: [String]

  /// - Parameter object: blanks may stand before it.
  package init(_ object: some Sequence<UInt8>) {
    (names, values, dottedNames) = Array(object.drop { $0 <= 0x20 }).withText { text in
      let field = Field(text, .other)
      return (field.memberNames, field.memberValues.map { Array($0.drop { $0 <= 0x20 }) }, field.dottedNames)
    }
  }
}
