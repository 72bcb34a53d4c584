import Foundation
import Testing

@testable import Domain
@testable import Platform

@Suite("What a file holds, by its bytes")
struct FileDigestTests {
  @Test("Size, CRC-32 and SHA-256 are those of the bytes as they lie on the disk")
  func known() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "abc")
    let digest = try FileDigest(of: folder.path("file"), displayName: "file")
    // FIPS 180-4, example of one block.
    #expect(digest.sha256.hexadecimal == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(digest.bytes == 3)
    #expect(digest.crc32 == 0x3524_41c2)
  }

  @Test("The beginning of a longer file is the same content", arguments: [0, 1, 1 << 18, 1 << 18 + 1, 700_000])
  func beginning(count: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try folder.write("long", bytes)
    try folder.write("short", bytes.prefix(count))
    let digest = try FileDigest(of: folder.path("long"), displayName: "long", limit: Int64(count))
    #expect(try FileDigest(of: folder.path("short"), displayName: "short") == digest)
  }

  @Test("A digest that was noted is the file's while size and checksum agree; else the file is read")
  func noted() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "abc")
    let path = folder.path("file")
    let read = try FileDigest(of: path, displayName: "file")
    let noted = FileDigest(bytes: read.bytes, crc32: read.crc32)
    FileDigest.note(noted, of: path)
    #expect(FileDigest.known(of: path, displayName: "file", bytes: read.bytes, crc32: read.crc32) == noted)
    try folder.write("file", "abd")
    let other = try FileDigest(of: path, displayName: "file")
    FileDigest.note(noted, of: path)
    #expect(FileDigest.known(of: path, displayName: "file", bytes: other.bytes, crc32: other.crc32) == other)
  }

  @Test("A file that is not there is an error with its name")
  func missing() throws {
    let error = #expect(throws: OfferliftError.self) { try FileDigest(of: "/nowhere/log", displayName: "log") }
    #expect(error?.exit == .inputMissing)
    #expect(error?.message.contains("log") == true)
  }
}
