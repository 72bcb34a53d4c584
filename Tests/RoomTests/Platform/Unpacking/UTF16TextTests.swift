import Testing

@testable import Platform

@Suite("Text in UTF-16, read as UTF-8")
struct UTF16TextTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ bytes: [UInt8], step: Int = 1 << 16) throws -> [UInt8] {
    let source = try ByteSource(path: try folder.write("file", bytes).path, displayName: "file")
    var all: [UInt8] = []
    while true {
      let piece = try source.read(upTo: step)
      if piece.isEmpty { return all }
      all += piece
    }
  }

  private static let text = "user,price\r\nJosé,7.99 €\n周,😀\u{feff}\u{7ff}\u{800}\u{ffff}\u{10ffff}\0\n"

  @Test("Either order comes as UTF-8 without the mark, plain and packed, in any pieces", arguments: [true, false])
  func orders(bigEndian: Bool) throws {
    let bytes = UTF16Bytes.of(Self.text, bigEndian: bigEndian)
    for packed in [bytes, Gzip.member(bytes), Zstd.frame(bytes)] {
      for step in [1, 2, 3, 4, 5, 7, 1 << 16] { #expect(try read(packed, step: step) == Array(Self.text.utf8)) }
    }
    let long = String(repeating: Self.text, count: 5000)
    #expect(try read(UTF16Bytes.of(long, bigEndian: bigEndian)) == Array(long.utf8))
  }

  @Test("Nothing but a mark is an empty text; UTF-32, UTF-8 and a text without a mark come as they are")
  func marks() throws {
    #expect(try read([0xff, 0xfe]).isEmpty)
    #expect(try read([0xfe, 0xff]).isEmpty)
    for bytes in [[0xff, 0xfe, 0, 0, 0x61, 0, 0, 0], [0xef, 0xbb, 0xbf, 0x61], [0x61, 0], [0xff], []] as [[UInt8]] {
      #expect(try read(bytes) == bytes)
    }
  }

  @Test("Half a pair is no letter: its three bytes are no UTF-8, and what stands around them is read")
  func halves() throws {
    for units in [[0xd83d, 0x61], [0xde00, 0x61], [0xd83d, 0xd83d, 0xde00], [0xd83d]] as [[UInt16]] {
      let bytes = try read(UTF16Bytes.of([0xfeff, 0x62] + units, bigEndian: true))
      #expect(bytes.first == 0x62)
      #expect(String(validating: bytes, as: UTF8.self) == nil, "\(units)")
      #expect(units.last != 0x61 || bytes.last == 0x61)
    }
  }

  @Test("An odd byte at the end is damage")
  func oddByte() throws {
    let bytes = UTF16Bytes.of(Self.text, bigEndian: false)
    let error = #expect(throws: CorruptFile.self) { try read(Array(bytes.dropLast())) }
    #expect(error?.fault.hasPrefix("file, byte \(bytes.count - 1): the file ends within a letter") == true)
    #expect(throws: CorruptFile.self) { try read([0xff, 0xfe, 0x61]) }
  }
}
