import Domain
import Foundation
import Platform

/// The program's own bytes, held against what they were when it was packed.
struct ProgramTrial: Sendable {
  /// The running program.
  let path: String
  let digest: String
  /// What its SHA-256 should be, and who says so; nil where nobody does.
  let stamp: (digest: String, source: String)?

  /// A file of this name holds the program's SHA-256, as `sha256sum` writes it.
  static let stampName = "offerlift.sha256"
  /// Where it lies, from the program's folder: beside the program, or where `jobs/setup.sh --install` puts it.
  private static let stampFolders = ["", "../share/offerlift"]

  /// - Parameter expected: what whoever asks says; nil is what the stamp beside the program says.
  /// - Throws: `OfferliftError` where the program or its stamp cannot be read, 64 where `expected` is no SHA-256.
  init(expecting expected: String?) throws {
    path = LoadedProgram.path
    digest = try FileDigest(of: path, displayName: path).sha256.hexadecimal
    if let expected {
      guard let digest = Self.digest(in: expected) else {
        throw OfferliftError(.usage, "--expect-hash \"\(expected)\" is no SHA-256: 64 hexadecimal digits.")
      }
      stamp = (digest, "--expect-hash")
      return
    }
    let folder = Folder.parent(of: path)
    let positions = Self.stampFolders.map {
      URL(fileURLWithPath: "\(folder)/\($0)/\(Self.stampName)").standardized.path
    }
    guard let found = try positions.first(where: Folder.exists) else {
      stamp = nil
      return
    }
    var bytes: [UInt8] = []
    try StoredFile.read(found) { bytes += $0.prefix(1000) }
    // A stamp that holds none fits no program.
    stamp = (Self.digest(in: String(decoding: bytes, as: UTF8.self)) ?? "none", found)
  }

  private static func digest(in text: String) -> String? {
    let word = text.split(whereSeparator: \.isWhitespace).first.map { $0.lowercased() } ?? ""
    return word.utf8.count == 64 && word.allSatisfy { $0.isASCII && $0.isHexDigit } ? word : nil
  }

  /// None where there is nothing to hold it against.
  var trials: [Trial] {
    guard let stamp else { return [] }
    let digest = digest
    return [
      Trial(
        part: .program, name: "SHA-256", source: stamp.source, input: stamp.digest,
        findings: { [.same("SHA-256 of the program", found: digest, expected: stamp.digest)] })
    ]
  }

  /// What was found, in a sentence.
  var sentence: String {
    guard let stamp else {
      return
        "\(path) has the SHA-256 \(digest); nothing says what it should be (\(Self.stampName) beside it or in ../share/offerlift, or --expect-hash)"
    }
    return "\(path) has the SHA-256 \(digest), \(stamp.digest == digest ? "as" : "NOT as") \(stamp.source) says"
  }
}
