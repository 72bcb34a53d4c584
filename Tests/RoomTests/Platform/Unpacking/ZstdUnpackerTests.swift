import Foundation
import Testing

@testable import Domain
@testable import Platform

@Suite("Bytes of a zstd file, unpacked")
struct ZstdUnpackerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func unpacked(_ bytes: [UInt8], step: Int = 1 << 16, name: String = "file") throws -> [UInt8] {
    let source = try ByteSource(path: try folder.write(name, bytes).path, displayName: name)
    var all: [UInt8] = []
    while true {
      let piece = try source.read(upTo: step)
      if piece.isEmpty { return all }
      all += piece
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

  private static let text = Array((0..<20).flatMap { Array("weekly_799,7.99,USD,\($0 * $0)\n".utf8) })

  @Test("It is told by its first bytes, not by the name", arguments: ["log.zst", "log.gz", "log.csv"])
  func magic(name: String) throws {
    #expect(try unpacked(Zstd.frame(Self.text), name: name) == Self.text)
    #expect(try unpacked(Self.text, name: name) == Self.text)
  }

  @Test("Frames follow each other, empty ones and those to be skipped among them", arguments: [1, 2, 7, 399, 1 << 16])
  func frames(step: Int) throws {
    let note = Array("made by pzstd".utf8)
    let packed =
      Zstd.skippable([], kind: 15) + Zstd.frame(Self.text) + Zstd.frame([]) + Zstd.skippable(note)
      + Zstd.frame(Self.text, level: 19)
    #expect(try unpacked(packed, step: step) == Self.text + Self.text)
    #expect(try unpacked(packed + Zstd.skippable(note, kind: 7), step: step) == Self.text + Self.text)
    #expect(try unpacked(Zstd.skippable(note) + Zstd.skippable([]), step: step).isEmpty)
    #expect(try unpacked(Zstd.frame([]), step: step).isEmpty)
  }

  @Test("Random bytes come back, of any length and in any pieces")
  func random() throws {
    let seed: UInt64 = 20_260_412
    var random = Dice(seed: seed)
    for round in 0..<40 {
      let alphabet = random.bytes(1 + random.below(255))
      let bytes = random.bytes(random.below(400_000), from: alphabet)
      let cut = random.below(bytes.count + 1)
      let level = Int32(random.below(12))
      let packed = Zstd.frame(bytes[..<cut], level: level) + Zstd.frame(bytes[cut...], level: level)
      let step = 1000 + random.below(300_000)
      #expect(try unpacked(packed, step: step) == bytes, "seed \(seed), round \(round)")
    }
  }

  @Test("A file cut off behind any byte is noticed, but between frames", arguments: [1, 64, 1 << 16])
  func cutOff(step: Int) throws {
    let (note, frame) = (Zstd.skippable([1, 2, 3]), Zstd.frame(Self.text))
    let packed = note + frame + frame
    let whole = [note.count, note.count + frame.count]
    for length in 4..<packed.count {
      let found = fault(Array(packed[..<length]), step: step)
      #expect((found == nil) == whole.contains(length), "cut to \(length) of \(packed.count)")
      if let found { #expect(found.byte == Int64(length) || found.what.contains("not zstd")) }
    }
  }

  @Test("A flipped bit is an error or changes nothing that is read")
  func flippedBits() throws {
    let packed = Zstd.frame(Self.text)
    for byte in 4..<packed.count {
      for bit in 0..<8 {
        var damaged = packed
        damaged[byte] ^= 1 << UInt8(bit)
        let result = Result { try unpacked(damaged) }
        if let bytes = try? result.get() {
          #expect(bytes == Self.text, "byte \(byte), bit \(bit)")
        } else {
          #expect(throws: CorruptFile.self, "byte \(byte), bit \(bit)") { try result.get() }
        }
      }
    }
  }

  @Test("Random damage to several frames ends in an error or in bytes")
  func randomDamage() throws {
    let seed: UInt64 = 4712
    var random = Dice(seed: seed)
    let packed = Zstd.skippable([9, 9]) + Zstd.frame(Self.text, level: 19) + Zstd.frame(Self.text.reversed())
    for round in 0..<3000 {
      var damaged = packed
      for _ in 0...random.below(4) {
        damaged[random.below(packed.count)] = UInt8.random(in: 0...255, using: &random)
      }
      if random.chance(0.3) { damaged.removeSubrange(4 + random.below(packed.count - 4)..<packed.count) }
      let result = Result { try unpacked(damaged, step: 1 + random.below(900)) }
      if case .failure(let error) = result { #expect(error is CorruptFile, "seed \(seed), round \(round)") }
    }
  }

  @Test("What is damaged is told with file and byte")
  func words() throws {
    let packed = Zstd.frame(Self.text)
    var checksum = packed
    checksum[packed.count - 1] ^= 1
    #expect(fault(checksum)?.what == "fails its zstd checksum")
    let cut = try #require(fault(Array(packed.dropLast())))
    #expect(cut.fault == "file, byte \(packed.count - 1): the file ends in the middle of its zstd data")
    let more = try #require(fault(packed + Array("more".utf8)))
    #expect(more.fault == "file, byte \(packed.count): the file has bytes behind its zstd data that are not zstd")
  }

  @Test("A window of 128 MB is read, a larger one refused with what to do")
  func windows() throws {
    #expect(try unpacked(Zstd.frame(Self.text, windowLog: 27)) == Self.text)
    let found = try #require(fault(Zstd.frame(Self.text, windowLog: 28)))
    #expect(found.what == "takes more than 128 MB of memory to unpack (zstd --long)")
    #expect(found.remedy.contains("--long"))
  }
}
