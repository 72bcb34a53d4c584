import Domain
import Foundation

/// What a job keeps from night to night.
extension JobReader {
  /// The state folder; nil where the job does not name one. `state:` alone takes everything as usual.
  static func state(_ section: YAMLSection, beside file: URL) -> StateFolder? {
    guard section.names("state") else { return nil }
    var folder = StateFolder()
    guard let state = section.section("state") else { return folder }
    if let path = state.text("path") {
      folder.path = URL(fileURLWithPath: path, relativeTo: file.deletingLastPathComponent()).standardizedFileURL
    }
    if let text = state.text("max_size") {
      if let size = ByteSize(text) {
        folder.maxBytes = size.bytes
      } else {
        state.problem("max_size", "\"\(text)\" is no size; write 20 GB or 500 MB.")
      }
    }
    state.finish()
    return folder
  }

  /// How many of the newest nights keep their folders; nil where all do.
  static func keepNights(_ section: YAMLSection) -> Int? {
    guard let text = section.text("keep_nights") else { return nil }
    guard let nights = Int(text), nights > 0 else {
      section.problem("keep_nights", "\"\(text)\" is no number of nights; write 90, or 1 for the newest alone.")
      return nil
    }
    return nights
  }
}
