import Foundation
import Testing

@testable import Domain
@testable import Platform

@Suite("Members of a zip archive")
struct ZipArchiveTests {
  let folder: TemporaryFolder
  private let written = Written()

  init() throws { folder = try TemporaryFolder() }

  /// How many archives have been written: each has a path of its own.
  private final class Written {
    var count = 0
  }

  /// Where the archive lies that was written last.
  private var path: String { folder.path("\(written.count).zip") }

  private static let text = Array((0..<20).flatMap { Array("weekly_799,7.99,USD,\($0 * $0)\n".utf8) })

  private func names(_ bytes: [UInt8]) throws -> [String]? {
    written.count += 1
    try folder.write("\(written.count).zip", bytes)
    return try ZipArchive(at: path, displayName: "a.zip")?.names
  }

  private func read(_ member: String, step: Int = 1 << 16) throws -> [UInt8] {
    let source = try ByteSource(path: path + "/" + member, displayName: "a.zip/\(member)")
    var all: [UInt8] = []
    while true {
      let piece = try source.read(upTo: step)
      if piece.isEmpty { return all }
      all += piece
    }
  }

  @Test("Each member is a file, stored or deflated; folders and macOS's notes are none")
  func members() throws {
    var stored = Zip.Member("b/stored.csv", Self.text)
    stored.method = 0
    let others = [Zip.Member("b/", []), Zip.Member("__MACOSX/._a.csv", [1]), Zip.Member("empty.csv", [])]
    let bytes = Zip.archive([stored, Zip.Member("a.csv", Self.text)] + others)
    #expect(try names(bytes) == ["a.csv", "b/stored.csv", "empty.csv"])
    for name in ["a.csv", "b/stored.csv"] {
      for step in [1, 100, 1 << 16] { #expect(try read(name, step: step) == Self.text, "\(name)") }
    }
    #expect(try read("empty.csv").isEmpty)
  }

  @Test("Sizes, places and counts may be zip64's")
  func large() throws {
    var members = (0..<3).map { Zip.Member("\($0).csv", Self.text + [UInt8(48 + $0)]) }
    for position in members.indices { members[position].isLarge = position != 1 }
    for endsLarge in [false, true] {
      #expect(try names(Zip.archive(members, endsLarge: endsLarge)) == ["0.csv", "1.csv", "2.csv"])
      for member in members { #expect(try read(member.name) == member.bytes) }
    }
  }

  @Test("More members than two bytes count are all there, whether or not they are counted in eight")
  func many() throws {
    var member = Zip.Member("", [65])
    member.method = 0
    let all = (0..<65_540).map { number in
      var member = member
      member.name = "\(number)"
      return member
    }
    for endsLarge in [false, true] {
      #expect(try names(Zip.archive(all, endsLarge: endsLarge))?.count == all.count)
      #expect(try read("65539") == [65])
    }
  }

  @Test("Members that share bytes are refused: their list tells of more than was packed")
  func overlapping() throws {
    // The list is made for two, of which the second's place becomes the first's.
    var bytes = Zip.archive([Zip.Member("a.csv", Self.text), Zip.Member("b.csv", Self.text)])
    let entry = 46 + 5
    let second = bytes.count - 22 - entry
    bytes.replaceSubrange(second + 42..<second + 46, with: [0, 0, 0, 0])
    let damage = #expect(throws: CorruptFile.self) { try names(bytes) }
    #expect(damage?.fault.contains("the members a.csv and b.csv in the same bytes") == true)
  }

  @Test("More empty members than anybody has files are refused by the archive's name")
  func empty() throws {
    let all = (0..<10_001).map { Zip.Member("\($0)", []) }
    let damage = #expect(throws: CorruptFile.self) { try names(Zip.archive(all)) }
    #expect(damage?.fault.contains("10001 empty files") == true)
    #expect(try names(Zip.archive(Array(all.dropLast())))?.count == 10_000)
  }

  @Test("An archive's second half, or one with more bytes than its list tells, is damage")
  func parts() throws {
    let whole = Zip.archive([Zip.Member("a.csv", Self.text)], endsLarge: true)
    var split = Self.small
    split[split.count - 18] = 1
    #expect(throws: CorruptFile.self) { try names(split) }
    for byte in whole.count - 98..<whole.count {
      var damaged = whole
      damaged[byte] ^= 0x55
      guard let found = try outcome(damaged), !found.isEmpty else { continue }
      #expect(found == [Self.text], "\(byte)")
    }
  }

  @Test("A member may be packed once more, or be in UTF-16")
  func layers() throws {
    let wide = UTF16Bytes.of(String(decoding: Self.text, as: UTF8.self), bigEndian: true)
    let bytes = Zip.archive([
      Zip.Member("a.gz", Gzip.member(Self.text)), Zip.Member("b.zst", Zstd.frame(wide)), Zip.Member("c.csv", wide),
    ])
    for name in try #require(try names(bytes)) { #expect(try read(name) == Self.text, "\(name)") }
  }

  @Test("A member's size and checksum are its own, and its digest that of a file of its bytes")
  func digest() throws {
    _ = try names(Zip.archive([Zip.Member("a.csv", Self.text)]))
    let file = try folder.write("a.csv", Self.text)
    let digest = try FileDigest(of: path + "/a.csv", displayName: "a.zip/a.csv")
    #expect(try digest == FileDigest(of: file.path, displayName: "a.csv"))
    #expect(try ZipArchive.Position(path + "/a.csv")?.about()?.size == Int64(Self.text.count))
  }

  @Test("What is no archive has no members, whatever it is called")
  func others() throws {
    #expect(try names(Self.text) == nil)
    #expect(try names([]) == nil)
    #expect(ZipArchive.Position(path) == nil)
    #expect(ZipArchive.Position(folder.path("nowhere/a.csv")) == nil)
    #expect(throws: OfferliftError.self) { try read("a.csv") }
  }

  @Test("Encrypted members and other methods are refused by name")
  func refused() throws {
    var (secret, other) = (Zip.Member("secret.csv", Self.text), Zip.Member("other.csv", Self.text))
    (secret.flags, other.method) = (1, 93)
    _ = try names(Zip.archive([secret, other]))
    let one = #expect(throws: OfferliftError.self) { try read("secret.csv") }
    #expect(one?.exit == .badData && one?.message.hasPrefix("a.zip/secret.csv is encrypted") == true)
    let two = #expect(throws: OfferliftError.self) { try read("other.csv") }
    #expect(two?.exit == .badData && two?.message.contains("method 93 (zstd)") == true)
  }

  @Test("Names that lead elsewhere are names")
  func names() throws {
    let odd = ["../../etc/passwd", "/etc/passwd", "..", "a\0b", "C:\\x", "\u{1b}[2J"]
    let bytes = Zip.archive(odd.map { Zip.Member($0, Array($0.utf8)) })
    #expect(try Set(#require(try names(bytes))) == Set(odd))
    for name in odd { #expect(try read(name) == Array(name.utf8)) }
    #expect(throws: CorruptFile.self) { try names(Zip.archive([Zip.Member("a", [1]), Zip.Member("a", [2])])) }
  }

  @Test("Sizes and checksums that lie are damage", arguments: [0, 10, 439, 441, 1 << 40])
  func lies(size: Int) throws {
    for isLarge in [size > 1 << 31, true] {
      var member = Zip.Member("a.csv", Self.text)
      (member.reportedSize, member.isLarge) = (size, isLarge)
      #expect(throws: CorruptFile.self) {
        _ = try names(Zip.archive([member]))
        _ = try read("a.csv")
      }
    }
    var member = Zip.Member("a.csv", Self.text)
    member.reportedChecksum = 1
    _ = try names(Zip.archive([member]))
    #expect(throws: CorruptFile.self) { try read("a.csv") }
  }

  /// What comes of an archive: the bytes of its members, or nil where it is damaged.
  private func outcome(_ bytes: [UInt8]) throws -> [[UInt8]]? {
    do {
      guard let names = try names(bytes) else { return [bytes] }
      return try names.map { try read($0) }
    } catch is CorruptFile {
      return nil
    } catch let error as OfferliftError where error.exit == .badData || error.exit == .inputMissing {
      return nil
    }
  }

  private static let small = Zip.archive([
    Zip.Member("a.csv", Self.text), Zip.Member("b.csv", Array("one\ntwo\n".utf8)),
  ])

  @Test("A file cut off behind any byte is noticed where a member is missing")
  func cutOff() throws {
    let whole = try outcome(Self.small)
    for length in 4..<Self.small.count {
      // Within the last bytes, which say how long the list is, nothing of the members is cut off.
      guard let found = try outcome(Array(Self.small[..<length])), !found.isEmpty else { continue }
      #expect(found == whole && length > Self.small.count - 8, "\(length)")
    }
  }

  @Test("A flipped bit, and random damage, is an error or harmless")
  func damage() throws {
    let seed: UInt64 = 4713
    var random = Dice(seed: seed)
    let whole = Set([Self.text, Array("one\ntwo\n".utf8)])
    for round in 0..<3000 {
      var damaged = Self.small
      if round < 8 * damaged.count {
        damaged[round / 8] ^= 1 << UInt8(round % 8)
        guard round / 8 >= 4, let found = try outcome(damaged) else { continue }
        #expect(whole.isSuperset(of: found), "bit \(round)")
      } else {
        for _ in 0...random.below(6) {
          damaged[random.below(damaged.count)] = UInt8.random(in: 0...255, using: &random)
        }
        _ = try outcome(damaged)
      }
    }
  }
}
