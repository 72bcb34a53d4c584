@testable import Platform

/// Zip archives put together by hand. Source: APPNOTE.TXT 6.3.10, section 4.3.
enum Zip {
  struct Member {
    var name: String
    var bytes: [UInt8]
    /// 0 as it is, 8 deflated.
    var method = 8
    var flags = 0
    /// What the archive says in place of the truth.
    var reportedSize: Int?
    var reportedChecksum: UInt32?
    /// Sizes and places stand in the fields of zip64.
    var isLarge = false

    init(_ name: String, _ bytes: some Sequence<UInt8>) { (self.name, self.bytes) = (name, Array(bytes)) }
  }

  /// - Parameter endsLarge: how many members there are, and where their list lies, stands in zip64's record.
  static func archive(_ members: [Member], endsLarge: Bool = false) -> [UInt8] {
    var (data, list) = ([UInt8](), [UInt8]())
    for member in members {
      let packed = member.method == 8 ? Array(Gzip.member(member.bytes).dropFirst(10).dropLast(8)) : member.bytes
      let size = member.reportedSize ?? member.bytes.count
      var checksum = Checksum()
      checksum.update(member.bytes)
      let name = Array(member.name.utf8)
      let crc = Int(member.reportedChecksum ?? checksum.crc32)
      let large = number(1, 2) + number(24, 2) + number(size, 8) + number(packed.count, 8) + number(data.count, 8)
      let extra = member.isLarge ? large : []
      let all = 0xffff_ffff
      let sizes =
        member.isLarge ? number(all, 4) + number(all, 4) : number(packed.count, 4) + number(size, 4)
      let about =
        number(45, 2) + number(member.flags, 2) + number(member.method, 2) + number(0, 4) + number(crc, 4) + sizes
        + number(name.count, 2)
      list += number(0x0201_4b50, 4) + number(45, 2) + about + number(extra.count, 2) + number(0, 2) + number(0, 2)
      list += number(0, 2) + number(0, 4) + number(member.isLarge ? all : data.count, 4) + name + extra
      let own = member.isLarge ? number(1, 2) + number(16, 2) + number(size, 8) + number(packed.count, 8) : []
      data += number(0x0403_4b50, 4) + about + number(own.count, 2) + name + own + packed
    }
    if endsLarge {
      let position = data.count + list.count
      let counts = number(members.count, 8) + number(members.count, 8) + number(list.count, 8) + number(data.count, 8)
      let record = number(0x0606_4b50, 4) + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) + counts
      let locator = number(0x0706_4b50, 4) + number(0, 4) + number(position, 8) + number(1, 4)
      let end = number(0x0605_4b50, 4) + number(0, 4) + number(0xffff_ffff, 4) + number(-1, 8) + number(0, 2)
      return data + list + record + locator + end
    }
    let count = number(members.count, 2)
    return data + list + number(0x0605_4b50, 4) + number(0, 4) + count + count + number(list.count, 4)
      + number(data.count, 4) + number(0, 2)
  }

  private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
