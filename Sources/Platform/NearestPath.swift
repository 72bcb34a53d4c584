import Domain
import Foundation

/// What a path that leads nowhere may have meant.
package enum NearestPath {
  /// How many names are shown of a folder that has none alike.
  private static let mostNames = 4

  /// A sentence behind a blank: the nearest path there is, ` Did you mean "data/users.csv"?`, else what the last folder on
  /// the way holds; empty where that is nothing, or the path leads somewhere.
  ///
  /// - Parameters:
  ///   - path: as it was typed; behind the folder of a pattern nothing is looked up.
  ///   - folder: where a relative path begins; empty is the working folder.
  package static func hint(_ path: String, in folder: String = "") -> String {
    let parts = path.split(separator: "/").map(String.init)
    var position = path.hasPrefix("/") ? "/" : folder
    var found = path.hasPrefix("/") ? [""] : []
    var isMended = false
    for (number, part) in parts.enumerated() {
      let names = shownNames(in: position)
      let isPattern = part.contains { "*?[{".contains($0) }
      if isPattern, isMended { return meant(found + parts[number...]) }
      guard !isPattern, let name = exists(part, in: position) ? part : nearestName(to: part, among: names) else {
        return names.isEmpty
          ? "" : " The folder \(shown(found)) has \(Phrase.list(names, most: mostNames))."
      }
      isMended = isMended || name != part
      found.append(name)
      position = (position as NSString).appendingPathComponent(name)
    }
    return isMended ? meant(found) : ""
  }

  private static func meant(_ parts: [String]) -> String { " Did you mean \"\(parts.joined(separator: "/"))\"?" }

  private static func shown(_ parts: [String]) -> String {
    parts.isEmpty ? "it is looked for in" : "\"\(parts == [""] ? "/" : parts.joined(separator: "/"))\""
  }

  private static func exists(_ name: String, in folder: String) -> Bool {
    (try? Folder.exists((folder as NSString).appendingPathComponent(name))) ?? false
  }

  private static func shownNames(in folder: String) -> [String] {
    ((try? Folder.names(in: folder.isEmpty ? "." : folder)) ?? []).filter { !$0.hasPrefix(".") }
  }
}
