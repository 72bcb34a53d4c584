/// A line of the footer's list of columns and of the groups they stand in.
///
/// Source: Apache Parquet, parquet.thrift, `SchemaElement`.
struct SchemaElement {
  private(set) var name = ""
  /// Of a column; nil of a group.
  private(set) var type: Int64?
  /// Bytes of a value of fixed length.
  private(set) var length: Int64 = 0
  private(set) var repetition: Int64?
  private(set) var children: Int64?
  private(set) var converted: Int64?
  private(set) var scale: Int64 = 0
  private(set) var logical: Logical?

  /// What values mean beyond what they are.
  enum Logical: Equatable {
    case text, map, list, decimal(scale: Int64), date, time(Unit), timestamp(Unit, isUTC: Bool)
    case integer(bits: Int64, isSigned: Bool)
    case nothing, json, uuid, half
    /// Not read, by its name.
    case other(String)
  }

  /// What times count.
  enum Unit: Int64 {
    case milliseconds = 1
    case microseconds, nanoseconds

    /// How many make a second.
    var perSecond: Int64 {
      switch self {
      case .milliseconds: 1000
      case .microseconds: 1_000_000
      case .nanoseconds: 1_000_000_000
      }
    }
  }

  init(_ reader: inout CompactReader) throws {
    try reader.forEachField { reader, number, kind in
      switch number {
      case 1: type = try reader.int(kind)
      case 2: length = try reader.int(kind)
      case 3: repetition = try reader.int(kind)
      case 4: name = try reader.text(kind)
      case 5: children = try reader.int(kind)
      case 6: converted = try reader.int(kind)
      case 7: scale = try reader.int(kind)
      case 10:
        try reader.structure(kind)
        logical = try Self.logical(&reader)
      default: return false
      }
      return true
    }
    if logical == nil { logical = converted.flatMap(ofConverted) }
  }

  /// A union: one field, whose number says which it is.
  private static func logical(_ reader: inout CompactReader) throws -> Logical? {
    var found: Logical?
    try reader.forEachField { reader, number, kind in
      try reader.structure(kind)
      switch number {
      case 5:
        var scale: Int64 = 0
        try reader.forEachField { reader, number, kind in
          guard number == 1 else { return false }
          scale = try reader.int(kind)
          return true
        }
        found = .decimal(scale: scale)
      case 7, 8:
        let (unit, isUTC) = try time(&reader)
        found = number == 7 ? .time(unit) : .timestamp(unit, isUTC: isUTC)
      case 10:
        var (bits, isSigned) = (Int64(0), true)
        try reader.forEachField { reader, number, kind in
          if number == 1 { bits = try reader.int(kind) } else { isSigned = try reader.flag(kind) }
          return true
        }
        found = .integer(bits: bits, isSigned: isSigned)
      default:
        found = plain(number)
        return false
      }
      return true
    }
    return found
  }

  private static func plain(_ number: Int16) -> Logical? {
    switch number {
    case 1, 4: .text
    case 2: .map
    case 3: .list
    case 6: .date
    case 11: .nothing
    case 12: .json
    case 13: .other("BSON")
    case 14: .uuid
    case 15: .half
    case 16: .other("VARIANT")
    case 17: .other("GEOMETRY")
    case 18: .other("GEOGRAPHY")
    case 19: .other("VECTOR")
    default: nil
    }
  }

  private static func time(_ reader: inout CompactReader) throws -> (Unit, isUTC: Bool) {
    var (unit, isUTC) = (Unit.milliseconds, false)
    try reader.forEachField { reader, number, kind in
      guard number == 2 else {
        isUTC = try reader.flag(kind)
        return true
      }
      try reader.structure(kind)
      try reader.forEachField { reader, number, kind in
        guard let reported = Unit(rawValue: Int64(number)) else {
          throw ParquetFault.unsupported("it has times in a unit that is not known")
        }
        unit = reported
        return false
      }
      return true
    }
    return (unit, isUTC)
  }

  /// What older writers say.
  private func ofConverted(_ type: Int64) -> Logical? {
    switch type {
    case 0, 4: .text
    case 1, 2: .map
    case 3: .list
    case 5: .decimal(scale: scale)
    case 6: .date
    case 7: .time(.milliseconds)
    case 8: .time(.microseconds)
    // Their times are instants: LogicalTypes.md, "Deprecated timestamp ConvertedType".
    case 9: .timestamp(.milliseconds, isUTC: true)
    case 10: .timestamp(.microseconds, isUTC: true)
    case 11...14: .integer(bits: 8 << (type - 11), isSigned: false)
    case 15...18: .integer(bits: 8 << (type - 15), isSigned: true)
    case 19: .json
    case 20: .other("BSON")
    case 21: .other("INTERVAL")
    default: nil
    }
  }
}
