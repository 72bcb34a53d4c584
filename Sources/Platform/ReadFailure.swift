import Domain
import Foundation

/// Why bytes of a file that is open could not be read.
enum ReadFailure {
  /// The error, exit 74, for `errno` as it stands.
  static func error(_ displayName: String, byte: Int64, code: Int32 = errno) -> OfferliftError {
    OfferliftError(
      .inputOutput,
      "\(displayName), byte \(byte): cannot be read (\(systemMessage(code))). Run again when the disk is well.")
  }
}
