import CSimdjson
import Domain
import Jobs

/// Reads what rows tell of their charges' attributes. One for each thread.
struct AttributeReader {
  private let places: [AttributeFields.Place]
  private var packed: InternerCache
  private let arena = TextArena()
  /// Which attributes charges have had a field for.
  private(set) var seen = AttributesSeen()
  private var unseen: [AttributeFields.Place]

  init(_ fields: AttributeFields, names: EventNames) {
    places = fields.places
    unseen = fields.places
    packed = InternerCache(names.attributes)
  }

  /// The input is asked for none.
  var isEmpty: Bool { places.isEmpty }

  /// The number of the values that a charge's row tells, all together; `Interner.none` where it tells none.
  ///
  /// - Parameter isNull: whether a text stands for no value.
  mutating func values(
    _ fields: UnsafePointer<ol_field>, isNull: (UnsafeBufferPointer<UInt8>) -> Bool = { _ in false }
  ) -> UInt32 {
    guard !places.isEmpty else { return Interner.none }
    note(fields)
    var size = 0
    for place in places where Self.isTold(fields[place.field], isNull) {
      size += PackedValues.size(of: fields[place.field].buffer)
    }
    guard size > 0 else { return Interner.none }
    arena.clear()
    let start = arena.reserve(size)
    var end = UnsafeMutableRawPointer(start)
    for place in places where Self.isTold(fields[place.field], isNull) {
      end = PackedValues.append(fields[place.field].buffer, of: place.attribute, at: end)
    }
    return packed.code(ofValue: UnsafeBufferPointer(start: start, count: size))
  }

  /// Notes which attributes a charge has a field for, if only an empty one.
  private mutating func note(_ fields: UnsafePointer<ol_field>) {
    seen.hasCharges = true
    guard !unseen.isEmpty else { return }
    for place in unseen where fields[place.field].kind != UInt32(ol_absent) { seen.attributes.insert(place.attribute) }
    unseen.removeAll { seen.attributes.contains($0.attribute) }
  }

  private static func isTold(_ field: ol_field, _ isNull: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    !field.isMissing && !isNull(field.buffer)
  }
}

/// The attributes that charges of an input have a field for.
package struct AttributesSeen: Sendable {
  var hasCharges = false
  /// Their numbers.
  package var attributes: Set<Int> = []

  package mutating func merge(_ other: AttributesSeen) {
    hasCharges = hasCharges || other.hasCharges
    attributes.formUnion(other.attributes)
  }
}

/// Several attributes' values in one text: of each the attribute's number, the value's length, and its bytes.
enum PackedValues {
  private static let head = 2 * MemoryLayout<UInt32>.size

  static func size(of value: UnsafeBufferPointer<UInt8>) -> Int { head + value.count }

  /// Writes a value and returns where the next one goes.
  static func append(
    _ value: UnsafeBufferPointer<UInt8>, of attribute: Int, at start: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    start.storeBytes(of: UInt32(attribute), as: UInt32.self)
    start.storeBytes(of: UInt32(value.count), toByteOffset: head / 2, as: UInt32.self)
    if let bytes = value.baseAddress { (start + head).copyMemory(from: bytes, byteCount: value.count) }
    return start + size(of: value)
  }

  /// The values by their attributes' numbers.
  static func values(in packed: [UInt8]) -> [Int: Identifier] {
    packed.withUnsafeBytes { bytes in
      var values: [Int: Identifier] = [:]
      var at = 0
      while at < bytes.count {
        let attribute = Int(bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
        let length = Int(bytes.loadUnaligned(fromByteOffset: at + head / 2, as: UInt32.self))
        values[attribute] = Identifier(utf8: bytes[at + head..<at + head + length])
        at += head + length
      }
      return values
    }
  }
}
