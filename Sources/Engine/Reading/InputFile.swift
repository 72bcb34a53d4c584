import Domain
import Foundation
import Jobs

/// One file of an input: where it lies and what it is called.
package struct InputFile: Sendable {
  package let path: String
  /// As messages and `inputs.csv` have it: relative to the job file's folder where it was written so.
  package let displayName: String
}

extension TableInput {
  /// The input's files in path order.
  ///
  /// - Throws: `OfferliftError`, exit 66, where a path or glob matches nothing and is not optional.
  package func files(relativeTo jobFile: URL) throws -> [InputFile] {
    let folder = jobFile.deletingLastPathComponent().path
    let pattern = path.hasPrefix("/") ? path : folder + "/" + path
    let found = Self.glob(pattern)
    guard !found.isEmpty || isOptional else {
      throw OfferliftError(
        .inputMissing,
        "\(jobFile.lastPathComponent), line \(line): \(name) names \"\(path)\", which matches no file in \(folder). "
          + "Correct the path, or set optional: true.")
    }
    return found.map { InputFile(path: $0, displayName: displayName(of: $0, in: folder)) }
  }

  private func displayName(of file: String, in folder: String) -> String {
    guard !path.hasPrefix("/"), file.hasPrefix(folder + "/") else { return file }
    return String(file.dropFirst(folder.count + 1))
  }

  /// Regular files the pattern matches, ordered by the bytes of their paths.
  private static func glob(_ pattern: String) -> [String] {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: pattern, isDirectory: &isFolder) {
      return isFolder.boolValue ? [] : [pattern]
    }
    var result = glob_t()
    defer { globfree(&result) }
    guard Foundation.glob(pattern, GLOB_NOSORT, nil, &result) == 0 else { return [] }
    return (0..<Int(result.gl_pathc))
      .compactMap { result.gl_pathv[$0].map { String(cString: $0) } }
      .filter { FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) && !isFolder.boolValue }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
