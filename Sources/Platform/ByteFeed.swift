/// Bytes of a file that come from somewhere else than this machine's disks.
package protocol ByteFeed: Sendable {
  /// The next bytes, some at least; nil at the end.
  func next() throws -> [UInt8]?
}
