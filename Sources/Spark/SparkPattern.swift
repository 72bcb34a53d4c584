import Engine
import Jobs

/// A path as Hadoop takes it, that finds what the job's own path finds: what is no wildcard here is none there.
///
/// Source: Hadoop, `GlobPattern` and `GlobExpander`. Hadoop knows no `**`; the folders in which files were found stand in
/// its place.
struct SparkPattern {
  let text: String

  /// - Parameters:
  ///   - folder: what the path is relative to.
  ///   - found: the files that it finds, absolute.
  init(_ table: TableInput, in folder: String, finding found: [String]) {
    let path = table.localPath
    if let file = table.literalFile(in: folder) {
      text = Self.escaped(file, "*?[]{},\\")
    } else if path.split(separator: "/").contains("**") {
      let last = path.split(separator: "/").last.map(String.init) ?? ""
      text = Self.alternatives(of: found) + "/" + (last == "**" ? "*" : Self.escaped(last, "{},"))
    } else {
      let base = path.hasPrefix("/") ? "" : Self.escaped(folder, "*?[]{},\\") + "/"
      text = base + Self.escaped(path, "{},")
    }
  }

  /// The folders of the files, `/srv/{logs,logs/2026}`.
  private static func alternatives(of files: [String]) -> String {
    let folders = Set(files.map { $0.split(separator: "/").dropLast().joined(separator: "/") }).sorted()
    let escaped = folders.map { Self.escaped($0, "*?[]{},\\") }
    return escaped.count == 1 ? "/" + escaped[0] : "/{\(escaped.joined(separator: ","))}"
  }

  private static func escaped(_ path: String, _ letters: String) -> String {
    path.reduce(into: "") { text, letter in
      if letters.contains(letter) { text.append("\\") }
      text.append(letter)
    }
  }
}
