import Domain
import Engine
import Foundation
import Jobs
import Platform

/// What messages and `inputs.csv` call the files that Spark names by their addresses, `file:/srv/logs/a%20b.gz`.
struct FileNames {
  /// By input the names of files on the disks of the machine that planned, by their paths.
  private let names: [[String: String]]

  init(_ manifest: SparkManifest) {
    names = manifest.inputs.map { input in
      Dictionary((input.files ?? []).map { ($0.path, $0.nameOnDisk) }) { first, _ in first }
    }
  }

  /// The name of a file of an input.
  func name(ofFileAt address: String, input: Int) -> String {
    var path = address.removingPercentEncoding ?? address
    guard path.hasPrefix("file:") else { return path }
    path.removeFirst("file:".count)
    // Spark writes one slash or three.
    while path.hasPrefix("//") { path.removeFirst() }
    return names[input][path] ?? path
  }
}

/// A file on the disks of the machine that plans.
struct PlannedFile: Codable, Sendable {
  /// Where it lies, absolute: the path that Spark calls it by, which has no `..` in it. Of a member of a zip archive where
  /// that lies.
  var path: String
  /// As messages and `inputs.csv` have it.
  var name: String
  /// Of a member of a zip archive what it is called there.
  var member: String?
  /// In bytes, as far as it is read.
  var size: Int64
  /// As it lay on the disk when the plan was made.
  var state: FileState?

  init(_ file: InputFile) {
    let position = ZipArchive.Position(file.path)
    self.init(
      onDisk: position?.archive ?? file.path, member: position?.member, name: file.displayName, size: file.size)
    state = FileState(path)
  }

  init(onDisk path: String, member: String? = nil, name: String, size: Int64) {
    let parts = path.split(separator: "/").reduce(into: [Substring]()) { parts, part in
      if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
    }
    (self.path, self.member, self.name, self.size) = ("/" + parts.joined(separator: "/"), member, name, size)
  }

  /// Whether other bytes lie there now than were planned. One that is gone, or lies on another machine, was read there.
  var hasChanged: Bool {
    guard let state, let now = FileState(path) else { return false }
    return !now.isWritten(as: state)
  }

  /// What messages call the file that lies on the disk.
  var nameOnDisk: String { member.map { String(name.dropLast($0.count + 1)) } ?? name }
}

extension SparkManifest.Input {
  /// Whether a file's rows are read, and how many bytes of it; nil is all of them.
  func extent(of name: String) -> (isRead: Bool, limit: Int64?) {
    if same?[name] != nil { return (false, nil) }
    guard let extents else { return (true, nil) }
    return extents[name].map { (true, $0) } ?? (false, nil)
  }
}

extension SparkManifest {
  /// Calls `body` with every file that the plan lists.
  func forEachListed(_ body: (ListedFile) -> Void) throws {
    for (number, input) in inputs.enumerated() {
      for file in input.files ?? [] {
        let same = input.same?[file.name]
        if same != nil || input.extent(of: file.name).isRead {
          body(ListedFile(file.name, ofInput: number, size: file.size, sameAs: same))
        }
      }
    }
  }

  /// - Throws: `OfferliftError`, exit 65, where a file that is read to its end is not what it was when the plan was made.
  func refuseChanged() throws {
    for input in inputs {
      for file in input.files ?? [] where input.extent(of: file.name) == (true, nil) && file.hasChanged {
        throw OfferliftError(
          .badData,
          "\(file.nameOnDisk) has changed since it was planned, so that nobody knows which of its rows Spark has read. "
            + "Make the plan anew.")
      }
    }
  }

  /// The file that Spark lists in a row, whose data is the file's size in digits.
  func listed(_ row: TaskRow) throws -> ListedFile {
    guard let number = row.partition, inputs.indices.contains(number),
      let size = Int64(String(decoding: row.bytes, as: UTF8.self)), size >= 0
    else {
      throw OfferliftError(.internalError, "\(row.file): Spark lists a file of an input that the plan does not have.")
    }
    return ListedFile(FileNames(self).name(ofFileAt: row.file, input: number), ofInput: number, size: size)
  }
}
