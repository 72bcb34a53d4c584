import Foundation

/// The system does not say what a path leads to: there may be a file.
package struct UnseenPath: Error {
  /// Its `errno`.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// What the call that has just failed says; nil where there is nothing at the path.
  package static var last: UnseenPath? {
    let code = errno
    return [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(code) ? nil : UnseenPath(code: code)
  }
}
