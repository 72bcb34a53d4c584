import Foundation
import Platform

/// What versions up to 0.2.0 left of their nights in a state folder: nobody reads it, and it holds ids of users.
struct LeftNights: Sendable {
  private let folder: String

  /// - Parameter state: the state folder.
  init(state: URL) { folder = state.appendingPathComponent("nights").path }

  /// Removes it. Other files there, and a folder that holds any, stay.
  ///
  /// - Throws: `OfferliftError` where something cannot be removed.
  func remove() throws {
    guard try Folder.exists(folder) else { return }
    let names = try Folder.names(in: folder)
    let ours = names.filter(Self.isOurs)
    for name in ours { try Folder.remove((folder as NSString).appendingPathComponent(name)) }
    if ours.count == names.count { try Folder.remove(folder) } else { try Folder.sync(folder) }
  }

  private static func isOurs(_ name: String) -> Bool {
    name == "digests" || name.hasSuffix(".night") || name.hasPrefix(".") && name.hasSuffix(".new")
  }
}
