import Domain
import Foundation

/// Why output could not be written, with the exit code that tells the cases apart.
package enum OutputFailure {
  /// What to do where the place is wrong: most of what is written are results.
  package static let remedy = "Give a folder that can be written, with --output or the job's output:."

  /// The error for `errno` as it stands: 73 if the place is wrong, 74 if the disk is.
  ///
  /// - Parameter remedy: what to do where the place is wrong.
  package static func error(
    _ verb: String, _ path: String, code: Int32 = errno, remedy: String = Self.remedy
  ) -> OfferliftError {
    let reported = "cannot \(verb) \(path): \(String(cString: strerror(code)))"
    switch code {
    case ENOSPC, EDQUOT:
      return OfferliftError(.inputOutput, "\(reported). Free space there and run again.")
    case EFBIG:
      return OfferliftError(.inputOutput, "\(reported). Allow larger files (ulimit -f) and run again.")
    case _ where isOfTheDisk(code):
      return OfferliftError(.inputOutput, "\(reported). Run again when the disk is well.")
    default:
      return OfferliftError(.cannotCreateOutput, "\(reported). \(remedy)")
    }
  }

  /// Does the work, and says of a wrong place what to do about it in place of `remedy`.
  ///
  /// - Throws: what `work` throws.
  package static func advising<Result>(_ advice: String, _ work: () throws -> Result) throws -> Result {
    do { return try work() } catch let error as OfferliftError {
      guard error.exit == .cannotCreateOutput, error.message.hasSuffix(remedy) else { throw error }
      throw OfferliftError(.cannotCreateOutput, error.message.dropLast(remedy.count) + advice)
    }
  }

  /// Whether the system says that reading or writing itself went wrong, and not that it is not allowed.
  static func isOfTheDisk(_ code: Int32) -> Bool {
    [EIO, ENOSPC, EDQUOT, ESTALE, ENXIO, ENODEV, ETIMEDOUT, EMFILE, ENFILE, ENOMEM].contains(code)
  }
}
