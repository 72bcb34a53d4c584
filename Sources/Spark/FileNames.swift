import Domain
import Engine
import Foundation
import Jobs

/// What messages and `inputs.csv` call the files that Spark names by their addresses, `file:/srv/logs/a%20b.gz`.
struct FileNames {
  /// By input the names of files on the disks of the machine that planned, by their paths.
  private let names: [[String: String]]

  init(_ manifest: SparkManifest) {
    names = manifest.inputs.map { input in
      Dictionary((input.files ?? []).map { ($0.path, $0.name) }) { first, _ in first }
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

extension BroughtFile {
  /// A file by the path that Spark calls it by, which has no `..` in it.
  init(onDisk path: String, name: String) {
    let parts = path.split(separator: "/").reduce(into: [Substring]()) { parts, part in
      if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
    }
    self.init(path: "/" + parts.joined(separator: "/"), name: name)
  }
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
  /// Calls `body` with the name of every file that the plan lists, the number of its input, and the file that is read in
  /// its place.
  func forEachListed(_ body: (String, Int, SameFile?) -> Void) throws {
    for (number, input) in inputs.enumerated() {
      for file in input.files ?? [] {
        let same = input.same?[file.name]
        if same != nil || input.extent(of: file.name).isRead { body(file.name, number, same) }
      }
    }
  }

  /// The file that Spark lists in a row, and the number of its input.
  func listed(_ row: TaskRow) throws -> (name: String, input: Int) {
    guard let number = row.partition, inputs.indices.contains(number) else {
      throw OfferliftError(.internalError, "\(row.file): Spark lists a file of an input that the plan does not have.")
    }
    return (FileNames(self).name(ofFileAt: row.file, input: number), number)
  }
}
