/// What the values of a column are, and how they lie in it.
struct ValueKind: Sendable, Equatable {
  let type: Physical
  let meaning: Meaning

  /// How values lie in a file.
  enum Physical: Sendable, Equatable {
    case boolean, int32, int64, int96, float, double, bytes
    case fixed(Int)

    /// Bytes of a value that has a number of them.
    var width: Int? {
      switch self {
      case .int32, .float: 4
      case .int64, .double: 8
      case .int96: 12
      case .fixed(let width): width
      case .boolean, .bytes: nil
      }
    }
  }

  /// What values mean.
  enum Meaning: Sendable, Equatable {
    case boolean, integer, unsigned32, unsigned64, float, double, half
    /// Digits behind the point.
    case decimal(scale: Int)
    case date
    case time(SchemaElement.Unit)
    case timestamp(SchemaElement.Unit, isUTC: Bool)
    /// Nanoseconds of a day, and the day, which older writers have for instants.
    case julianTimestamp
    case text, uuid
    /// Bytes of which the file does not say that they are a text.
    case bytes
    /// Not read, by its name.
    case other(String)
  }

  /// The longest value of fixed length, in bytes.
  private static let longest: Int64 = 1 << 20
  private static let mostDigits = 38

  init(_ element: SchemaElement, type: Int64) throws {
    let damage = ParquetFault("the column \(element.name) is of a type that cannot be")
    switch type {
    case 0: self.type = .boolean
    case 1: self.type = .int32
    case 2: self.type = .int64
    case 3: self.type = .int96
    case 4: self.type = .float
    case 5: self.type = .double
    case 6: self.type = .bytes
    case 7:
      guard (1...Self.longest).contains(element.length) else { throw damage }
      self.type = .fixed(Int(element.length))
    default: throw damage
    }
    switch (self.type, element.logical) {
    case (_, .other(let name)?): meaning = .other(name)
    case (.boolean, _): meaning = .boolean
    case (.int96, _): meaning = .julianTimestamp
    case (.float, _): meaning = .float
    case (.double, _): meaning = .double
    case (let type, .decimal(let scale)?):
      guard (0...Int64(Self.mostDigits)).contains(scale) else { throw damage }
      if case .fixed(let width) = type, width > 16 {
        meaning = .other("a decimal of more than \(Self.mostDigits) digits")
      } else {
        meaning = .decimal(scale: Int(scale))
      }
    case (.int32, .date?): meaning = .date
    case (.int32, .time(.milliseconds)?): meaning = .time(.milliseconds)
    case (.int64, .time(let unit)?): meaning = .time(unit)
    case (.int64, .timestamp(let unit, let isUTC)?): meaning = .timestamp(unit, isUTC: isUTC)
    case (.int32, .integer(_, false)?): meaning = .unsigned32
    case (.int64, .integer(_, false)?): meaning = .unsigned64
    case (.int32, _), (.int64, _): meaning = .integer
    case (.fixed(16), .uuid?): meaning = .uuid
    case (.fixed(2), .half?): meaning = .half
    case (.bytes, .text?), (.bytes, .json?), (.fixed, .text?), (.fixed, .json?): meaning = .text
    case (.bytes, _), (.fixed, _): meaning = .bytes
    }
  }
}
