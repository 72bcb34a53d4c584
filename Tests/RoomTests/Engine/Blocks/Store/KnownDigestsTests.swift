import Domain
import Foundation
import Testing

@testable import Engine
@testable import Platform

@Suite("What files held, from run to run")
struct KnownDigestsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Keeps what these files hold, long after they were written, and reads it as the next run does.
  private func retained(_ names: [String], after earlier: KnownDigests = KnownDigests(at: "")) throws -> KnownDigests {
    var digests = earlier
    let later = Date().timeIntervalSince1970 + 60
    for name in names {
      let (digest, stamp) = try look(at: name)
      digests.note(digest, of: position(name), stamp, began: later)
    }
    try Data(try #require(digests.block)).write(to: folder.url.appending(path: "digests"))
    return KnownDigests(at: folder.path("digests"))
  }

  private func position(_ name: String) -> String { "-1 \(folder.path(name))" }

  private func look(at name: String) throws -> (digest: FileDigest, stamp: FileStamp) {
    (
      try FileDigest(of: folder.path(name), displayName: name),
      try #require(FileStamp(folder.path(name)))
    )
  }

  @Test("A file that stands as it did is known, and one that is written anew is not")
  func stands() throws {
    for name in ["a", "b"] { try folder.write(name, "some bytes of \(name)") }
    var digests = try retained(["a", "b"])
    try folder.write("b", "some bytes of c")
    for (name, isKnown) in [("a", true), ("b", false), ("c", false)] {
      let found = try (name == "c" ? nil : look(at: name).stamp).flatMap { digests.digest(of: position(name), $0) }
      #expect(try found == (isKnown ? look(at: name).digest : nil), "\(name)")
    }
  }

  @Test("A file that was written just before it was read is looked at again")
  func fresh() throws {
    try folder.write("a", "some bytes")
    let (digest, stamp) = try look(at: "a")
    var digests = KnownDigests(at: "")
    digests.note(digest, of: position("a"), stamp, began: Date().timeIntervalSince1970)
    try Data(try #require(digests.block)).write(to: folder.url.appending(path: "digests"))
    var next = KnownDigests(at: folder.path("digests"))
    #expect(next.digest(of: position("a"), stamp) == nil)
  }

  @Test("What another job's files held stays while they stand as they did")
  func others() throws {
    for name in ["a", "b", "c"] { try folder.write(name, "some bytes of \(name)") }
    let first = try retained(["a", "b"])
    try folder.write("b", "other bytes")
    var both = try retained(["c"], after: first)
    #expect(try both.digest(of: position("a"), look(at: "a").stamp) == look(at: "a").digest)
    #expect(try both.digest(of: position("b"), look(at: "b").stamp) == nil)
    #expect(try both.digest(of: position("c"), look(at: "c").stamp) == look(at: "c").digest)
  }

  @Test("A damaged file tells nothing")
  func damaged() throws {
    try folder.write("a", "some bytes")
    _ = try retained(["a"])
    let path = folder.url.appending(path: "digests")
    var bytes = try Data(contentsOf: path)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: path)
    var digests = KnownDigests(at: path.path)
    #expect(try digests.digest(of: position("a"), look(at: "a").stamp) == nil)
  }
}
