/// Bytes of a file that come from somewhere else than this machine's disks.
package protocol ByteFeed: Sendable {
  /// Puts the next bytes at the beginning of `room` and returns how many; 0 at the end.
  func read(into room: UnsafeMutableRawBufferPointer) throws -> Int
}
