import Foundation

/// Where a job keeps what it need not find out again: the `state:` of a job.
package struct StateFolder: Sendable, Hashable {
  /// Absolute; nil is `state` beside the folder of the results.
  package var path: URL?
  /// How much it may take, in bytes.
  package var maxBytes: Int64 = 20_000_000_000

  /// The folder, where results go to `output`.
  package func folder(beside output: URL) -> URL {
    path ?? output.deletingLastPathComponent().appendingPathComponent("state")
  }
}
