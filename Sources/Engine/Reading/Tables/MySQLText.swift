/// The bytes of an `INTO OUTFILE` that are in sight.
struct MySQLText {
  let bytes: Text
  /// The file ends with them.
  let isLast: Bool

  var count: Int { bytes.count }

  subscript(at: Int) -> UInt8 {
    @inline(__always) get { bytes[at] }
  }

  /// Whether `mark` stands at `at`; nil where the bytes end before that shows.
  func has(_ mark: [UInt8], at: Int) -> Bool? {
    for (index, byte) in mark.enumerated() {
      guard at + index < count else { return isLast ? false : nil }
      if bytes[at + index] != byte { return false }
    }
    return true
  }
}
