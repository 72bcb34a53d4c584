import Domain
import Foundation
import Platform

/// What files held when they were last read, by where they lie: of one that stands there untouched it need not be read again.
struct KnownDigests: Sendable {
  private var known: [String: Known] = [:]
  /// What has been looked at since, and is kept.
  private var seen: [String: Known] = [:]

  private struct Known: Codable {
    var stamp: FileStamp
    var digest: FileDigest
  }

  /// - Parameter path: of the file that an earlier run left; one that is not what it should be tells nothing.
  init(at path: String) {
    var block: [UInt8] = []
    guard (try? StoredFile.read(path) { block += $0 }) != nil, let body = try? Block.body(of: block, .digests) else {
      return
    }
    known = (try? PackedCoding.decode([String: Known].self, from: Array(body))) ?? [:]
  }

  /// What the file holds; nil where it has to be read. `stamp` is as the file stands.
  mutating func digest(of position: String, _ stamp: FileStamp) -> FileDigest? {
    guard let found = known[position], found.stamp == stamp, !found.digest.sha256.isEmpty else { return nil }
    seen[position] = found
    return found.digest
  }

  /// Takes what a file holds that has been read since it had the stamp.
  ///
  /// - Parameter began: when reading began, in seconds since 1970.
  mutating func note(_ digest: FileDigest, of position: String, _ stamp: FileStamp, began: Double) {
    if stamp.isSettled(at: began) { seen[position] = Known(stamp: stamp, digest: digest) }
  }

  /// For the next run, as a block: what was looked at, and what other jobs had looked at and still stands as it did.
  var block: [UInt8]? {
    let others = known.filter { position, found in
      seen[position] == nil && FileStamp(String(position.drop { $0 != " " }.dropFirst())) == found.stamp
    }
    guard let bytes = try? PackedCoding.encode(seen.merging(others) { own, _ in own }) else { return nil }
    return Block.frame(.digests, body: bytes[...])
  }
}
