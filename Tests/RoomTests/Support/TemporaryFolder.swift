import Foundation

@testable import Engine
@testable import Measurement

/// A folder of a test's own, gone when the test is.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url =
      FileManager.default.temporaryDirectory.appendingPathComponent("offerlift-\(UUID().uuidString)")
      .standardizedFileURL
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file, making the folders it lies in.
  @discardableResult
  func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> InputFile {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return InputFile(path: file.path, displayName: name)
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> InputFile { try write(name, text.utf8) }
}
