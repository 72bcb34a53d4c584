/// Writes a file of gzip members that are packed side by side, each by itself.
///
/// Where members end is for the caller to say: of equal texts cut alike the files are equal, whatever the threads.
package final class GzipMembers {
  private let file: FileWriter
  private let threads: Int
  private var waiting: [[UInt8]] = []

  /// - Parameter file: is not packed by itself.
  package init(in file: FileWriter, threads: Int) {
    self.file = file
    self.threads = max(threads, 1)
  }

  /// Adds a member of these bytes.
  package func append(_ bytes: [UInt8]) throws {
    waiting.append(bytes)
    if waiting.count == threads { try pack() }
  }

  /// Writes what still waits.
  package func finish() throws { try pack() }

  private func pack() throws {
    let members = waiting
    let packed = try TaskPool.spread(members.count, limit: threads) { Deflater.gzipMember(members[$0]) }
    for member in packed { try file.write(member) }
    waiting = []
  }
}
