import Domain
import Foundation
import Jobs
import Platform

extension TableInput {
  /// The input's files in path order.
  ///
  /// - Throws: `OfferliftError`, exit 66, where a path or glob matches nothing and is not optional, and where what it
  ///   matches cannot be read as a file.
  package func files(relativeTo jobFile: URL, in context: RunContext = RunContext()) throws -> [InputFile] {
    if let brought {
      return try brought.flatMap { try files(of: $0.name, at: $0.path, in: context) }
    }
    if command != nil {
      throw OfferliftError(
        .badJobFile,
        "\(jobFile.lastPathComponent), line \(line): \(name) is what a program writes (\(path)), and programs are started "
          + "only where that is allowed: offerlift run --allow-commands \(ShellText.word(jobFile.lastPathComponent))")
    }
    if isElsewhere {
      throw OfferliftError(
        .inputMissing,
        "\(jobFile.lastPathComponent), line \(line): \(name) names \"\(path)\", which is not on this machine: "
          + "only Apache Spark can read it: offerlift run --engine spark.")
    }
    let folder = jobFile.deletingLastPathComponent().path
    let found = try found(in: folder)
    if found.isEmpty, let remedy = ShellPath(localPath).remedy {
      throw OfferliftError(
        .badJobFile,
        "\(jobFile.lastPathComponent), line \(line): \(name) names \"\(path)\", and \(remedy).")
    }
    if found.isEmpty, Self.isFolder(absolute(in: folder)) {
      throw OfferliftError(
        .inputMissing,
        "\(jobFile.lastPathComponent), line \(line): \(name) names \"\(path)\", which is a folder. Name the files in it: "
          + "\(Self.files(in: path)).")
    }
    guard !found.isEmpty || isOptional else {
      throw OfferliftError(
        .inputMissing,
        "\(jobFile.lastPathComponent), line \(line): \(name) names \"\(path)\", which matches no file in \(folder)."
          + NearestPath.hint(localPath, in: folder) + " Correct the path, or set optional: true.")
    }
    return try found.flatMap { try files(of: displayName(of: $0, in: folder), at: $0, in: context) }
  }

  /// A file of the input, or the members of an archive; without those that are not to be read.
  private func files(of name: String, at path: String, in context: RunContext) throws -> [InputFile] {
    let position = try InputFile.pathOfFile(at: path, displayName: name, pipes: context.pipes)
    context.watch?.note(position, displayName: name)
    let found = try InputFile.files(at: position, displayName: name, in: context)
    guard let extents else { return found }
    return found.compactMap { file in extents[file.displayName].map { file.upTo($0.limit) } }
  }

  /// Its path has the form of an address, `s3a://bucket/purchases/*.gz`: another machine's or a store's.
  package var isElsewhere: Bool { localPath.contains("://") }

  /// The path as this machine's disks have it: `file:///srv/logs/*.gz` is `/srv/logs/*.gz`.
  package var localPath: String {
    let scheme = "file://"
    return path.hasPrefix(scheme + "/") ? String(path.dropFirst(scheme.count)) : path
  }

  /// What messages and `inputs.csv` call a file at an absolute path of this machine.
  package func displayName(of file: String, relativeTo jobFile: URL) -> String {
    displayName(of: file, in: jobFile.deletingLastPathComponent().path)
  }

  private func displayName(of file: String, in folder: String) -> String {
    guard !path.hasPrefix("/"), file.hasPrefix(folder + "/") else { return file }
    return String(file.dropFirst(folder.count + 1))
  }

  /// A path is a folder's.
  package static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// What to write in place of a folder: `logs/*.csv`.
  package static func files(in folder: String) -> String {
    "\(folder.hasSuffix("/") ? String(folder.dropLast()) : folder)/*.csv"
  }

  /// The path as it would be if nothing in it were a wildcard.
  private func absolute(in folder: String) -> String { localPath.hasPrefix("/") ? localPath : folder + "/" + localPath }

  /// The one file of exactly that name; nil where there is none, so that the path is a pattern.
  package func literalFile(in folder: String) -> String? {
    let path = absolute(in: folder)
    return FileManager.default.fileExists(atPath: path) && !Self.isFolder(path) ? path : nil
  }

  /// Files that the path finds, none where there are none.
  ///
  /// - Throws: `OfferliftError`, exit 66, where a folder cannot be looked into, or what is found is no file.
  package func found(relativeTo jobFile: URL) throws -> [String] {
    try found(in: jobFile.deletingLastPathComponent().path)
  }

  /// Files that the path finds, ordered by the bytes of their paths; folders are passed over.
  ///
  /// - Throws: `OfferliftError`, exit 66: a file left out without a word would be missing from every figure.
  private func found(in folder: String) throws -> [String] {
    if let path = literalFile(in: folder) { return [path] }
    // What a slash stands behind is a folder.
    if localPath.hasSuffix("/") { return [] }
    do {
      return try PathPattern(localPath, in: folder).matches().filter { try isFile($0, in: folder) }
    } catch let unreadable as PathPattern.Unreadable {
      throw OfferliftError(
        .inputMissing,
        "\(name) names \"\(path)\", and the folder \(displayName(of: unreadable.folder, in: folder)) cannot be looked "
          + "into. Make it readable, or correct the path.")
    }
  }

  /// Whether a match of a pattern is a file: false of a folder.
  private func isFile(_ match: String, in folder: String) throws -> Bool {
    let shown = displayName(of: match, in: folder)
    guard let found = try FileIdentity(lookingAt: match, displayName: shown) else {
      throw OfferliftError(
        .inputMissing, "\(shown) is a link to nothing. Remove it, or put the file back that it led to.")
    }
    guard found.isFile || found.isFolder else {
      throw OfferliftError(.inputMissing, "\(shown) is no file but a pipe or a device. Name files alone.")
    }
    return found.isFile
  }
}

extension FileIdentity {
  /// - Throws: `OfferliftError`, exit 66, where the system does not say what a path leads to.
  init?(lookingAt path: String, displayName: String) throws {
    do throws(UnseenPath) {
      guard let found = try FileIdentity(lookingAt: path) else { return nil }
      self = found
    } catch {
      let why = String(cString: strerror(error.code))
      throw OfferliftError(
        .inputMissing, "\(displayName): cannot be looked at (\(why)); check the path and its rights.")
    }
  }
}
