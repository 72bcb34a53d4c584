import Foundation

extension SparkManifest.Input {
  /// What messages and `inputs.csv` call a file that Spark names by its address, `file:/srv/logs/a%20b.gz`.
  func name(ofFileAt address: String) -> String {
    var path = address.removingPercentEncoding ?? address
    if path.hasPrefix("file:") {
      path.removeFirst("file:".count)
      // Spark writes one slash or three.
      while path.hasPrefix("//") { path.removeFirst() }
    }
    return !folder.isEmpty && path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }

  /// Whether a file's rows are read, and how many bytes of it; nil is all of them.
  func extent(of name: String) -> (isRead: Bool, limit: Int64?) {
    guard let extents else { return (true, nil) }
    return extents[name].map { (true, $0) } ?? (false, nil)
  }
}
