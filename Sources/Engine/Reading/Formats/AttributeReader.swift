import Domain
import Jobs

/// Reads what rows tell of their charges' attributes. One for each thread.
struct AttributeReader {
  private let positions: [AttributeFields.Position]
  private var packed: InternerCache
  /// The values of the row at hand, packed.
  private var values: [UInt8] = []
  /// Which attributes charges have had a field for.
  private(set) var seen = AttributesSeen()
  private var unseen: [AttributeFields.Position]

  init(_ fields: AttributeFields, names: EventNames) {
    positions = fields.positions
    unseen = fields.positions
    packed = InternerCache(names.attributes)
  }

  /// The input is asked for none.
  var isEmpty: Bool { positions.isEmpty }

  /// The number of the values that a charge's row tells, all together; `Interner.none` where it tells none.
  ///
  /// - Parameter isNull: whether a text stands for no value.
  mutating func values(_ fields: Fields, isNull: (Text) -> Bool = { _ in false }) -> UInt32 {
    guard !positions.isEmpty else { return Interner.none }
    note(fields)
    values.removeAll(keepingCapacity: true)
    for position in positions {
      let field = fields[position.field]
      if !field.isMissing, !isNull(field.bytes) {
        PackedValues.append(field.bytes, of: position.attribute, to: &values)
      }
    }
    return values.isEmpty ? Interner.none : values.withText { packed.code(ofValue: $0) }
  }

  /// Notes which attributes a charge has a field for, if only an empty one.
  private mutating func note(_ fields: Fields) {
    seen.hasCharges = true
    guard !unseen.isEmpty else { return }
    for position in unseen where !fields[position.field].isAbsent { seen.attributes.insert(position.attribute) }
    unseen.removeAll { seen.attributes.contains($0.attribute) }
  }
}

/// The attributes that charges of an input have a field for.
package struct AttributesSeen: Sendable, Codable {
  var hasCharges = false
  /// Their numbers.
  package var attributes: Set<Int> = []

  package mutating func merge(_ other: AttributesSeen) {
    hasCharges = hasCharges || other.hasCharges
    attributes.formUnion(other.attributes)
  }
}

/// Several attributes' values in one text: of each the attribute's number and the value's length, four bytes each from
/// the lowest on, and the value's bytes.
enum PackedValues {
  static func append(_ value: Text, of attribute: Int, to packed: inout [UInt8]) {
    append(UInt32(attribute), to: &packed)
    append(UInt32(value.count), to: &packed)
    packed.append(contentsOf: value)
  }

  /// Whether bytes are such a text.
  static func areSound(_ packed: Text) -> Bool {
    var rest = Array(packed)[...]
    while rest.count >= 8 {
      _ = scanNumber(from: &rest)
      let length = scanNumber(from: &rest)
      guard length <= rest.count else { return false }
      rest.removeFirst(length)
    }
    return rest.isEmpty
  }

  /// The values by their attributes' numbers.
  static func values(in packed: [UInt8]) -> [Int: Identifier] {
    var values: [Int: Identifier] = [:]
    var rest = packed[...]
    while !rest.isEmpty {
      let (attribute, length) = (scanNumber(from: &rest), scanNumber(from: &rest))
      values[attribute] = Identifier(utf8: rest.prefix(length))
      rest.removeFirst(length)
    }
    return values
  }

  private static func append(_ number: UInt32, to packed: inout [UInt8]) {
    for position in 0..<4 { packed.append(UInt8(truncatingIfNeeded: number >> UInt32(8 * position))) }
  }

  private static func scanNumber(from packed: inout ArraySlice<UInt8>) -> Int {
    defer { packed.removeFirst(4) }
    return packed.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
