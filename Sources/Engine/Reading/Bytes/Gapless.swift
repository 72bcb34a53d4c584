/// A value without gaps between its properties, which is compared, kept and written as its bytes: whole words of eight.
package protocol Gapless: BitwiseCopyable {}

extension Gapless {
  /// All bytes are 0.
  var isBlank: Bool {
    @inline(__always) get {
      withUnsafeBytes(of: self) { bytes in
        var all: UInt64 = 0
        for position in stride(from: 0, to: MemoryLayout<Self>.size, by: 8) {
          all |= bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        }
        return all == 0
      }
    }
  }

  @inline(__always)
  func hasBytes(of other: Self) -> Bool {
    withUnsafeBytes(of: self) { mine in
      withUnsafeBytes(of: other) { theirs in
        var difference: UInt64 = 0
        for position in stride(from: 0, to: MemoryLayout<Self>.size, by: 8) {
          difference |=
            mine.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            ^ theirs.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        }
        return difference == 0
      }
    }
  }

  /// Its words, mixed: equal values have the same.
  var mixed: UInt64 {
    @inline(__always) get {
      withUnsafeBytes(of: self) { bytes in
        var mixed: UInt64 = 0
        for position in stride(from: 0, to: MemoryLayout<Self>.size, by: 8) {
          mixed = (mixed ^ bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)) &* Spread.multiplier
        }
        return mixed
      }
    }
  }
}

/// An integer that may not be there, in eight bytes which are 0 then: `Int64.min` is nothing's.
@propertyWrapper
package struct OptionalInteger: BitwiseCopyable {
  private var bits: Int64 = 0

  package init() {}

  package var wrappedValue: Int64? {
    @inline(__always) get { bits == 0 ? nil : bits ^ .min }
    @inline(__always) set { bits = newValue.map { $0 ^ .min } ?? 0 }
  }
}

/// A number that stands for an id, in eight bytes; 0 where there is none.
@propertyWrapper
package struct OptionalID: BitwiseCopyable {
  private var bits: UInt64 = 0

  package init() {}

  package var wrappedValue: UInt64? {
    @inline(__always) get { bits == 0 ? nil : bits }
    @inline(__always) set { bits = newValue ?? 0 }
  }
}

/// The half of a key that events are compared by, in eight bytes; 0 where there is none.
@propertyWrapper
package struct OptionalFingerprint: BitwiseCopyable {
  private var low: UInt64 = 0

  package init() {}

  package var wrappedValue: Fingerprint? {
    @inline(__always) get { low == 0 ? nil : Fingerprint(low: low) }
    @inline(__always) set { low = newValue?.low ?? 0 }
  }
}

extension EventTraits {
  /// Where the first of what holds or not lies; nothing else lies behind it.
  private static var firstFlag: Int { 24 }
  static var flagCount: Int { MemoryLayout<EventTraits>.size - firstFlag }

  /// A bit for each of what holds or not, from `isShare` on.
  var flags: UInt64 {
    get {
      withUnsafeBytes(of: self) { bytes in
        (0..<Self.flagCount).reduce(0) { $0 | UInt64(bytes[Self.firstFlag + $1]) << UInt64($1) }
      }
    }
    set {
      withUnsafeMutableBytes(of: &self) { bytes in
        for flag in 0..<Self.flagCount { bytes[Self.firstFlag + flag] = UInt8(newValue >> UInt64(flag) & 1) }
      }
    }
  }
}
