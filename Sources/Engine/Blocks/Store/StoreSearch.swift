import Domain
import Foundation
import Platform

/// Looks for entries of an event store that hold what is to be forgotten.
package struct StoreSearch: Sendable {
  private let folder: StoreFolder
  private let leftNights: LeftNights

  /// - Parameter state: the state folder.
  package init(state: URL) {
    folder = StoreFolder(path: state.appendingPathComponent("events").path)
    leftNights = LeftNights(state: state)
  }

  /// The names of all entries, in order.
  ///
  /// - Throws: `OfferliftError` where the folder cannot be read.
  package func entries() throws -> [String] {
    try folder.names()
  }

  /// The entries that one of the texts stands in, as it is or, of `looseTexts`, in whatever `LooseText` makes the same; and
  /// those of files whose SHA-256 is among `contents`. Rows that were rejected are kept as they were written.
  ///
  /// Ids lie in an entry one behind another: a short one may be found in another's letters, and the entry then goes though
  /// it need not. None that holds one stays.
  ///
  /// - Throws: `OfferliftError` where an entry cannot be read.
  package func entries(
    holding texts: [[UInt8]], loosely looseTexts: [[UInt8]] = [], of contents: Set<String>
  ) throws -> [String] {
    try entries().filter { name in
      if let digest = name.split(separator: "-").first, contents.contains(String(digest)) { return true }
      // In an entry a UUID stands as its bytes.
      let packed = texts.compactMap { $0.withText { PackedUUID($0)?.bytes } }
      return try holds(folder.path(of: name), texts.filter { !$0.isEmpty } + packed, looseTexts.filter { !$0.isEmpty })
    }
  }

  /// Removes what versions up to 0.2.0 kept of nights.
  ///
  /// - Throws: `OfferliftError` where it cannot be removed.
  package func removeLeftNights() throws { try leftNights.remove() }

  /// Removes entries: their files are read anew by the next run that needs them.
  ///
  /// - Throws: `OfferliftError` where one cannot be removed.
  package func remove(_ names: [String]) throws {
    for name in names { try Folder.remove(folder.path(of: name)) }
    if !names.isEmpty { try Folder.sync(folder.path) }
  }

  private struct Found: Error {}

  private func holds(_ path: String, _ texts: [[UInt8]], _ looseTexts: [[UInt8]]) throws -> Bool {
    let longest = max(
      texts.map(\.count).max() ?? 0, (looseTexts.map(\.count).max() ?? 0) * LooseText.longestByte)
    var window: [UInt8] = []
    do {
      try StoredFile.read(path) { piece in
        window += piece
        if Self.stands(texts, in: window) || Self.stands(looseTexts, in: LooseText.plain(window)) { throw Found() }
        // The last bytes may begin what goes on behind them.
        window.removeFirst(max(0, window.count - longest))
      }
      return false
    } catch is Found {
      return true
    }
  }

  private static func stands(_ texts: [[UInt8]], in window: [UInt8]) -> Bool {
    guard !texts.isEmpty else { return false }
    return window.withText { window in texts.contains { $0.withText { window.position(of: $0) != nil } } }
  }
}
