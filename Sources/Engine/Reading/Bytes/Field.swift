import CJSON

/// One field of a row: what stands in it, and its bytes, which live as long as the batch.
package struct Field {
  fileprivate(set) var unsafeField: ol_field

  /// What stands in a field.
  package enum Kind: UInt32 {
    /// The row has no such field.
    case absent = 0
    case null = 1
    /// A text, its escapes undone.
    case string = 2
    /// A JSON number, as it was typed.
    case number = 3
    /// `true`, `false`, an array or an object, as it was typed.
    case other = 4
  }

  /// A field that is not there.
  static var absent: Field { Field(unsafeField: ol_field()) }
  static var null: Field { Field(.empty, .null) }

  fileprivate init(unsafeField: ol_field) {
    self.unsafeField = unsafeField
  }

  @inline(__always)
  package init(_ bytes: Text, _ kind: Kind) {
    let start = bytes.unsafeBytes.baseAddress
    unsafeField = ol_field(bytes: start, length: UInt32(bytes.count), kind: kind.rawValue)
  }

  package var kind: Kind { Kind(rawValue: unsafeField.kind) ?? .other }

  /// The row has no such field.
  var isAbsent: Bool { unsafeField.kind == Kind.absent.rawValue }

  /// The field is not there, or there and NULL.
  package var isMissing: Bool {
    @inline(__always) get { unsafeField.kind <= Kind.null.rawValue }
  }

  package var isEmpty: Bool { unsafeField.length == 0 }

  /// The field is a string or a number.
  private var isText: Bool {
    @inline(__always) get {
      unsafeField.kind == Kind.string.rawValue || unsafeField.kind == Kind.number.rawValue
    }
  }

  /// What stands in the field, whatever it is.
  package var bytes: Text {
    @inline(__always) get {
      Text(unsafeBytes: UnsafeBufferPointer(start: unsafeField.bytes, count: Int(unsafeField.length)))
    }
  }

  /// The string or number that stands in the field; an empty text where it is missing or anything else.
  package var text: Text {
    @inline(__always) get { isText ? bytes : .empty }
  }

  /// The field's bytes as a string, for messages and small tables.
  package var string: String { String(decoding: bytes, as: UTF8.self) }

  /// What stands before the number's fraction: a number that was typed as one has a point, a text what its file has.
  @inline(__always)
  func decimalSign(ofTexts sign: UInt8) -> UInt8 { kind == .number ? UInt8(ascii: ".") : sign }
}

/// The fields of one row, in the order the reader was asked for them.
package struct Fields {
  private let unsafeFields: UnsafeMutableBufferPointer<ol_field>

  /// No fields: what a decoder holds before its first row.
  static var empty: Fields { Fields(start: nil, count: 0) }

  init(start: UnsafeMutablePointer<ol_field>?, count: Int) {
    unsafeFields = UnsafeMutableBufferPointer(start: start, count: count)
  }

  package var count: Int { unsafeFields.count }

  package subscript(number: Int) -> Field {
    @inline(__always) get {
      precondition(UInt(bitPattern: number) < UInt(bitPattern: unsafeFields.count))
      return Field(unsafeField: unsafeFields[number])
    }
    @inline(__always) nonmutating set {
      precondition(UInt(bitPattern: number) < UInt(bitPattern: unsafeFields.count))
      unsafeFields[number] = newValue.unsafeField
    }
  }

  /// Some of the fields, side by side.
  func slice(_ range: Range<Int>) -> Fields {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return Fields(start: unsafeFields.baseAddress.map { $0 + range.lowerBound }, count: range.count)
  }

  /// Forgets what stands in the fields.
  func clear() { unsafeFields.update(repeating: ol_field()) }
}

/// The fields of one row by what the format calls them: the columns of a table, the members of an object.
struct Record<Key: RawRepresentable<Int>> {
  let fields: Fields

  /// - Parameter fields: one for each key, in the keys' order; there may be more behind them.
  init(_ fields: Fields) {
    self.fields = fields
  }

  subscript(key: Key) -> Field {
    @inline(__always) get { fields[key.rawValue] }
  }

  /// The string or number that stands in the field; an empty text where it is missing or anything else.
  @inline(__always)
  func text(_ key: Key) -> Text { fields[key.rawValue].text }
}
