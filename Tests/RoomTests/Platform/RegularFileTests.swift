import Foundation
import Testing

@testable import Domain
@testable import Platform

@Suite("Files, and what is none")
struct RegularFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func error(_ path: String) -> OfferliftError? {
    #expect(throws: OfferliftError.self) { try RegularFile.bytes(of: path, displayName: "it") }
  }

  @Test("A file's bytes come whole, up to a limit")
  func bytes() throws {
    for count in [0, 1, 4095, 4096, 4097, 100_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let path = try folder.write("f", bytes).path
      #expect(try RegularFile.bytes(of: path, displayName: "it") == bytes)
      let isLarge = (try? RegularFile.bytes(of: path, displayName: "it", limit: 4096)) == nil
      #expect(isLarge == (count > 4096))
    }
  }

  @Test("A pipe that nobody writes to, a device and a folder are refused at once, by what they are")
  func others() throws {
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    for (path, words) in [
      (folder.path("pipe"), "it is a pipe"), ("/dev/zero", "it is a device"), (folder.path(""), "it is a folder"),
      (folder.path("none"), "it: cannot be opened"),
    ] {
      let found = error(path)
      #expect(found?.exit == .inputMissing)
      #expect(found?.message.hasPrefix(words) == true, "\(found?.message ?? "")")
      #expect(throws: OfferliftError.self) { try ByteSource(path: path, displayName: "it") }
      #expect(throws: OfferliftError.self) { try RandomAccessFile(path, displayName: "it") }
      #expect(throws: OfferliftError.self) { try FileDigest(of: path, displayName: "it") }
    }
  }
}
