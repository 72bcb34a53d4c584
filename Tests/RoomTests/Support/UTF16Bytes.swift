/// Text as UTF-16 has it.
enum UTF16Bytes {
  static func of(_ text: String, bigEndian: Bool, mark: Bool = true) -> [UInt8] {
    of((mark ? [0xfeff] : []) + Array(text.utf16), bigEndian: bigEndian)
  }

  static func of(_ units: [UInt16], bigEndian: Bool) -> [UInt8] {
    units.flatMap { unit -> [UInt8] in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xff)]
      return bigEndian ? bytes : bytes.reversed()
    }
  }
}
