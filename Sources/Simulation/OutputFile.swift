import Domain
import Foundation

/// A file that is written from front to back, its errors in the product's words.
final class OutputFile {
  private let path: String
  private let handle: FileHandle

  /// Creates the file, or empties the one that is there.
  init(_ path: String) throws {
    self.path = path
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let handle = FileHandle(forWritingAtPath: path)
    else {
      throw OfferliftError(
        .cannotCreateOutput, "\(path): cannot be created; choose a folder that you may write to with --output"
      )
    }
    self.handle = handle
  }

  /// Appends the bytes.
  func write(_ bytes: ArraySlice<UInt8>) throws {
    do {
      try handle.write(contentsOf: Data(bytes))
    } catch {
      throw OfferliftError(.inputOutput, "\(path): cannot be written: \(error.localizedDescription)")
    }
  }

  /// Closes the file.
  func close() throws {
    do {
      try handle.close()
    } catch {
      throw OfferliftError(.inputOutput, "\(path): cannot be closed: \(error.localizedDescription)")
    }
  }

  /// Writes a whole file.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try OutputFile(path)
    try file.write(bytes[...])
    try file.close()
  }
}
