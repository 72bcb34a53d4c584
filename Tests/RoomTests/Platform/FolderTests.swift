import Foundation
import Testing

@testable import Domain
@testable import Platform

/// Steps on folders and new files.
struct FolderTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    for name in ["old", "new"] {
      try Folder.create(folder.path("folder-\(name)"))
      try FileWriter.write(name.utf8, to: folder.path("folder-\(name)/file"))
      try FileWriter.write(name.utf8, to: folder.path("file-\(name)"))
    }
  }

  @Test("Two paths change places, and back again")
  func twoPathsChange() throws {
    for _ in 1...2 {
      try Folder.swap(folder.path("file-new"), with: folder.path("file-old"), aside: folder.path("aside"))
    }
    try Folder.swap(folder.path("folder-new"), with: folder.path("folder-old"), aside: folder.path("aside"))
    #expect(try folder.text("file-old") == "old")
    #expect(try folder.text("folder-old/file") == "new" && folder.text("folder-new/file") == "old")
  }

  @Test("A file system that cannot swap comes to the same in steps")
  func fileSystemCannot() throws {
    for name in ["file", "folder"] {
      try Folder.swapInSteps(
        folder.path("\(name)-new"), with: folder.path("\(name)-old"), aside: folder.path("aside"))
    }
    #expect(try folder.text("file-old") == "new" && folder.text("file-new") == "old")
    #expect(try folder.text("folder-old/file") == "new" && folder.text("folder-new/file") == "old")
    #expect(folder.names() == ["file-new", "file-old", "folder-new", "folder-old"])
  }

  @Test("Removing takes links and not what they point at")
  func removingAcceptsLinks() throws {
    try Folder.makeLink(folder.path("folder-old/link"), to: "../folder-new")
    try Folder.remove(folder.path("folder-old"))
    try Folder.remove(folder.path("folder-old"))
    #expect(folder.names() == ["file-new", "file-old", "folder-new"])
    #expect(folder.names("folder-new") == ["file"])
  }

  @Test("A file of ours is locked for its owner alone, and waited for, though not for ever")
  func locks() throws {
    let path = folder.path("lock")
    try FileWriter.write("".utf8, to: path)
    chmod(path, 0o640)
    let (first, second) = (try StoredFile.openLock(path), try StoredFile.openLock(path))
    defer { for descriptor in [first, second] { close(descriptor) } }
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    try StoredFile.lock(first, LOCK_EX, path)
    let error = try #require(throws: OfferliftError.self) {
      try StoredFile.lock(second, LOCK_SH, path, patience: 0.05)
    }
    #expect(error.exit == .tryAgainLater && error.message.contains("fuser"))
    flock(first, LOCK_UN)
    try StoredFile.lock(second, LOCK_SH, path)
  }

  @Test("What is no file in the place of one is neither read nor locked nor waited for", arguments: ["pipe", "link"])
  func noFile(_ kind: String) throws {
    let path = folder.path(kind)
    if kind == "pipe" { mkfifo(path, 0o600) } else { try Folder.makeLink(path, to: "file-old") }
    #expect(throws: OfferliftError.self) { try StoredFile.read(path) { _ in } }
    #expect(throws: OfferliftError.self) { try StoredFile.sync(path) }
    #expect(throws: OfferliftError.self) { try StoredFile.openLock(path) }
  }

  @Test("A new file follows no link and takes nobody's place")
  func newFileFollows() throws {
    try Folder.makeLink(folder.path("link"), to: "file-old")
    try Folder.makeLink(folder.path("broken"), to: "nothing")
    for name in ["link", "broken", "file-old"] {
      let error = try #require(throws: OfferliftError.self) { try FileWriter.write([1], to: folder.path(name)) }
      #expect(error.exit == .cannotCreateOutput)
    }
    #expect(try folder.text("file-old") == "old")
    try FileWriter.replace(folder.path("link"), with: "new".utf8)
    #expect(try folder.text("link") == "new" && folder.text("file-old") == "old")
    #expect(!folder.names().contains { $0.hasPrefix(".") || $0 == "nothing" })
  }

  @Test("Names of temporary files cannot be foretold")
  func namesTemporaryFiles() {
    #expect(Folder.hiddenSibling(of: "/x/report.html").hasPrefix("/x/.report.html."))
    #expect(Folder.hiddenSibling(of: "/x/a") != Folder.hiddenSibling(of: "/x/a"))
  }

  @Test("Only the owner writes, only the owner's group reads too")
  func onlyOwnerWrites() throws {
    for (name, mode) in [("file-old", 0o640), ("folder-old", 0o750)] {
      let found = try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
      #expect(found.map { $0 & ~mode } == 0, "\(name)")
    }
  }

  @Test("What the disk does not tell is an error and not nothing")
  func diskDoesEmit() throws {
    #expect(try Folder.names(in: folder.path("none")).isEmpty)
    #expect(throws: OfferliftError.self) { try Folder.names(in: folder.path("file-old")) }
    let long = folder.path(String(repeating: "x", count: 300))
    #expect(throws: OfferliftError.self) { try Folder.exists(long) }
  }

  @Test(
    "A path's folder, of paths however short",
    arguments: [
      ("m", ""), ("é", ""), (".", ""), ("m/", ""), ("./m", "."), ("a/m", "a"), ("a//m/", "a"), ("/m", "/"), ("/", "/"),
      ("", ""),
      ("/a/b/c", "/a/b"), ("../x", ".."),
    ])
  func parent(path: String, parent: String) { #expect(Folder.parent(of: path) == parent) }
}
