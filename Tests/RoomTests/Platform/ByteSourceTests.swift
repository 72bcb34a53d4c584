import Foundation
import Testing

@testable import Domain
@testable import Platform

@Suite("Bytes of a file, unpacked")
struct ByteSourceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Everything the file unpacks to, taken in pieces of `step` bytes.
  private func unpacked(_ bytes: [UInt8], step: Int = 1 << 16, name: String = "file") throws -> [UInt8] {
    let file = try folder.write(name, bytes)
    let source = try ByteSource(path: file.path, displayName: name)
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: step)
    while true {
      var room = buffer.mutableSpan
      let count = try source.read(into: &room)
      if count == 0 { return all }
      all += buffer[..<count]
    }
  }

  private func fault(_ bytes: [UInt8], step: Int = 1 << 16) -> CorruptFile? {
    do {
      _ = try unpacked(bytes, step: step)
      return nil
    } catch {
      return error as? CorruptFile
    }
  }

  private static let text = Array(String(repeating: "weekly_799,7.99,USD\n", count: 20).utf8)

  @Test("A plain file comes as it is, whatever its first byte", arguments: [0, 1, 2, 3, 400])
  func plain(length: Int) throws {
    let bytes = [0x1f] + (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    #expect(try unpacked(bytes) == bytes)
    #expect(try unpacked(Array(bytes.dropFirst())) == Array(bytes.dropFirst()))
  }

  @Test("An empty file has no bytes, and neither has an empty gzip member")
  func empty() throws {
    #expect(try unpacked([]).isEmpty)
    #expect(try unpacked(Gzip.member([])).isEmpty)
    #expect(try unpacked(Gzip.member([]) + Gzip.member([])).isEmpty)
  }

  @Test("Gzip is told by its first two bytes, not by the name", arguments: ["log.txt", "log.gz", "log"])
  func magic(name: String) throws {
    #expect(try unpacked(Gzip.member(Self.text), name: name) == Self.text)
    #expect(try unpacked(Self.text, name: name) == Self.text)
  }

  @Test("The piece a file is read in changes nothing", arguments: [1, 2, 3, 7, 31, 64, 400, 401, 4096])
  func pieces(step: Int) throws {
    let packed = Gzip.member(Self.text) + Gzip.member([]) + Gzip.member(Self.text)
    #expect(try unpacked(packed, step: step) == Self.text + Self.text)
    #expect(try unpacked(packed + [0, 0, 0], step: step) == Self.text + Self.text)
    #expect(try unpacked(Self.text, step: step) == Self.text)
  }

  @Test("Pieces as long as the unpacked file, or a byte off, lose nothing", arguments: -2...2)
  func pieceOfTheFilesOwnLength(slack: Int) throws {
    for length in [3, 100, 1000, 32_768, 65_536] {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
      #expect(try unpacked(Gzip.member(bytes), step: length + slack) == bytes)
    }
  }

  @Test("Random bytes come back, packed and read in pieces at random")
  func random() throws {
    let seed: UInt64 = 20_260_331
    var random = Dice(seed: seed)
    for round in 0..<60 {
      let alphabet = random.bytes(1 + random.below(255))
      let bytes = random.bytes(random.below(20_000), from: alphabet)
      let cut = random.below(bytes.count + 1)
      let packed = Gzip.member(bytes[..<cut]) + Gzip.member(bytes[cut...])
      let step = 1 + random.below(5000)
      #expect(try unpacked(packed, step: step) == bytes, "seed \(seed), round \(round), step \(step)")
    }
  }

  @Test("More than the packed buffer holds is read on")
  func larger() throws {
    var random = Dice(seed: 7)
    let bytes = random.bytes(400_000)
    #expect(try unpacked(Gzip.member(bytes)) == bytes)
    #expect(try unpacked(bytes) == bytes)
    let small = Gzip.member(bytes[..<9])
    let members = Array(repeatElement(small, count: 20_000).joined())
    #expect(members.count > 1 << 18)
    #expect(try unpacked(members).count == 9 * 20_000)
  }

  @Test("Every optional header field is passed over")
  func headers() throws {
    let headers = [
      Gzip.Header(isText: true), Gzip.Header(extra: []), Gzip.Header(extra: Array("AB\u{2}\u{0}xy".utf8)),
      Gzip.Header(extra: [UInt8](repeating: 7, count: 60_000)), Gzip.Header(name: "purchases.jsonl"),
      Gzip.Header(name: ""), Gzip.Header(comment: "by night"),
      Gzip.Header(isText: true, extra: [1, 2, 3], name: "a", comment: "b"),
    ]
    for header in headers {
      let packed = Gzip.member(Self.text, header: header)
      #expect(try unpacked(packed) == Self.text, "\(header)")
      #expect(try unpacked(packed + packed, step: 13) == Self.text + Self.text, "\(header)")
    }
  }

  @Test("Zeros behind the last member are padding", arguments: [1, 2, 7, 512, 300_000])
  func padding(zeros: Int) throws {
    let packed = Gzip.member(Self.text) + [UInt8](repeating: 0, count: zeros)
    #expect(try unpacked(packed) == Self.text)
  }

  @Test(
    "Anything else behind the last member is damage",
    arguments: [[0x1f], [1], [0x1f, 0x8c], [0, 0, 1], Array("trailing".utf8), [0x8b, 0x1f]] as [[UInt8]])
  func trailingBytes(rest: [UInt8]) throws {
    let packed = Gzip.member(Self.text)
    let found = try #require(fault(packed + rest))
    #expect(found.what.contains("not gzip"))
    #expect(found.byte >= Int64(packed.count))
  }

  @Test("A file cut off behind any byte of its gzip data is noticed")
  func cutOff() throws {
    for packed in [Gzip.member(Self.text), Gzip.member([]), Gzip.member(Self.text, header: .init(name: "n"))] {
      for length in 2..<packed.count {
        let found = fault(Array(packed[..<length]))
        #expect(found != nil, "cut to \(length) of \(packed.count) bytes")
        #expect(found?.byte == Int64(length))
      }
    }
  }

  @Test("A second member cut off behind any byte is noticed, but for the cut between the two")
  func cutOffInSecondMember() throws {
    let first = Gzip.member(Self.text)
    let packed = first + Gzip.member(Self.text)
    for length in first.count..<packed.count {
      #expect((fault(Array(packed[..<length])) == nil) == (length == first.count), "cut to \(length)")
    }
  }

  @Test("A cut-off file is noticed however small the pieces it is read in", arguments: [1, 3, 399, 400, 401])
  func cutOffInPieces(step: Int) throws {
    let packed = Gzip.member(Self.text)
    for length in [11, packed.count - 9, packed.count - 8, packed.count - 4, packed.count - 1] {
      #expect(fault(Array(packed[..<length]), step: step) != nil, "cut to \(length)")
    }
  }

  /// Bits that say nothing about the data, by their place in a member without optional header fields: whether
  /// it is text (bit 0 of the flags), when it was packed (bytes 4 to 7), how hard the packer tried (8), on what
  /// system (9), and those that fill up the last byte of the packed data, before the trailer.
  private static func carriesNothing(byte: Int, bit: Int, length: Int, fillBits: Int) -> Bool {
    byte == 3 && bit == 0 || (4...9).contains(byte) || byte == length - 9 && bit >= 8 - fillBits
  }

  @Test("Every flipped bit of a gzip file is noticed, but for header fields that carry no data")
  func flippedBits() throws {
    let packed = Gzip.member(Self.text)
    for byte in packed.indices {
      for bit in 0..<8 {
        var damaged = packed
        damaged[byte] ^= 1 << UInt8(bit)
        let result = Result { try unpacked(damaged) }
        if Self.carriesNothing(byte: byte, bit: bit, length: packed.count, fillBits: 5) {
          #expect(try result.get() == Self.text, "byte \(byte), bit \(bit)")
        } else if byte < 2 {
          // Without its first two bytes the file is not gzip: it comes as it is, and no row of it can be read.
          #expect(try result.get() == damaged, "byte \(byte), bit \(bit)")
        } else {
          #expect(throws: CorruptFile.self, "byte \(byte), bit \(bit)") { try result.get() }
        }
      }
    }
  }

  @Test("Every flipped bit of a second member is noticed")
  func flippedBitsOfSecondMember() throws {
    let first = Gzip.member(Array("first\n".utf8))
    let packed = first + (Gzip.member(Array("second\n".utf8)))
    for byte in first.count..<packed.count {
      for bit in 0..<8 {
        let length = packed.count - first.count
        if Self.carriesNothing(byte: byte - first.count, bit: bit, length: length, fillBits: 6) { continue }
        var damaged = packed
        damaged[byte] ^= 1 << UInt8(bit)
        #expect(fault(damaged) != nil, "byte \(byte), bit \(bit)")
      }
    }
  }

  @Test("A damaged trailer is told from damaged data")
  func wordsOfDamage() throws {
    let packed = Gzip.member(Self.text)
    var badChecksum = packed
    badChecksum[packed.count - 8] ^= 1
    #expect(fault(badChecksum)?.what == "fails its gzip checksum")
    var badLength = packed
    badLength[packed.count - 1] ^= 1
    #expect(fault(badLength) != nil)
    #expect(fault([0x1f, 0x8b, 9] + packed.dropFirst(3))?.what == "has a damaged gzip header")
    #expect(fault(Array(packed.dropLast()))?.what == "ends in the middle of its gzip data")
  }

  @Test("Damage is told with file and byte")
  func message() throws {
    let packed = Gzip.member(Self.text)
    let found = try #require(fault(Array(packed.dropLast())))
    #expect(found.fault == "file, byte \(packed.count - 1): the file ends in the middle of its gzip data")
  }

  @Test("Random damage never crashes and never passes for the original")
  func randomDamage() throws {
    let seed: UInt64 = 4711
    var random = Dice(seed: seed)
    let packed = Gzip.member(Self.text) + Gzip.member(Self.text.reversed())
    for round in 0..<400 {
      var damaged = packed
      for _ in 0...random.below(4) {
        damaged[2 + random.below(packed.count - 2)] = UInt8.random(in: 0...255, using: &random)
      }
      if random.chance(0.3) { damaged.removeSubrange(2 + random.below(packed.count - 2)..<packed.count) }
      let result = Result { try unpacked(damaged, step: 1 + random.below(900)) }
      guard let bytes = try? result.get() else { continue }
      let whole = Self.text + Self.text.reversed()
      // A cut between the members leaves a sound file of one.
      #expect(bytes == whole || bytes == Self.text, "seed \(seed), round \(round)")
    }
  }

  @Test("Random bytes behind the gzip magic end in an error or in bytes")
  func rubbish() throws {
    var random = Dice(seed: 99)
    for _ in 0..<300 {
      let bytes = [0x1f, 0x8b, 8, UInt8(random.below(32))] + random.bytes(random.below(200))
      _ = Result { try unpacked(bytes, step: 1 + random.below(300)) }
    }
  }

  @Test("Size and checksum are those of the file on disk")
  func checksum() throws {
    // CRC-32 of "123456789" is the check value of the algorithm.
    let file = try folder.write("check", "123456789")
    let source = try ByteSource(path: file.path, displayName: "check")
    try source.drain()
    #expect(source.bytesRead == 9)
    #expect(source.crc32 == 0xcbf4_3926)
    let packed = try folder.write("packed", Gzip.member(Self.text))
    let inner = try ByteSource(path: packed.path, displayName: "packed")
    try inner.drain()
    #expect(inner.bytesRead == Int64(Gzip.member(Self.text).count))
  }

  @Test("A file that is not there is a missing input")
  func missing() throws {
    let error = #expect(throws: OfferliftError.self) {
      try ByteSource(path: folder.path("nowhere"), displayName: "nowhere")
    }
    #expect(error?.exit == .inputMissing)
    #expect(error?.message.hasPrefix("nowhere: cannot be opened (") == true)
  }

  @Test("A folder in a file's place is an error, not a crash")
  func directory() throws {
    let error = #expect(throws: OfferliftError.self) {
      try ByteSource(path: folder.url.path, displayName: "folder")
    }
    #expect(error?.exit == .inputMissing)
  }
}
