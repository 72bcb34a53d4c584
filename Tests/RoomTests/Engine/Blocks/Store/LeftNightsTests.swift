import Foundation
import Testing

@testable import Domain
@testable import Engine

/// Versions up to 0.2.0 kept sums of nights in a state folder, with ids of users in them.
@Suite("What older versions left of their nights")
struct LeftNightsTests {
  private let folder: TemporaryFolder
  private var nights: URL { folder.url.appending(path: "state/nights") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: nights, withIntermediateDirectories: true)
    for name in ["5f3a.night", "digests", ".5f3a.night.x1.new"] { try write(name) }
  }

  private func write(_ name: String) throws { try Data("u1".utf8).write(to: nights.appending(path: name)) }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: nights.path) }

  private var store: EventStore { EventStore(folder: folder.url.appending(path: "state"), maxBytes: 1 << 30) }

  @Test("The next run removes them, and their folder")
  func removed() throws {
    let store = store
    store.open()
    #expect(store.drainWarnings().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: nights.path))
    #expect(FileManager.default.fileExists(atPath: folder.path("state/events")))
  }

  @Test("Files of somebody else stay where they are")
  func others() throws {
    for name in ["notes.txt", "night"] { try write(name) }
    store.open()
    #expect(try names().sorted() == ["night", "notes.txt"])
  }

  @Test("Forgetting somebody removes them at once, for they may hold the user's id")
  func forgotten() throws {
    try StoreSearch(state: folder.url.appending(path: "state")).removeLeftNights()
    #expect(!FileManager.default.fileExists(atPath: nights.path))
  }

  @Test("While another run is at work in the folder they stay")
  func besideAnother() throws {
    try FileManager.default.removeItem(at: nights)
    let other = store
    other.open()
    try FileManager.default.createDirectory(at: nights, withIntermediateDirectories: true)
    try write("5f3a.night")
    store.open()
    #expect(try names() == ["5f3a.night"])
    withExtendedLifetime(other) {}
  }
}
