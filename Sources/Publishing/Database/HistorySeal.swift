import Domain
import Foundation
import Measurement
import Platform

/// `.history` beside `results.sqlite`: what the last night left of it, and which nights' folders stood there then.
///
///     8d1f00a2-48211
///     2026-03-30 9120-1774915200.118 4096-1774915200.121
///
/// So the next night sees without reading them which folders are others now. Versions before 0.2.0 wrote the first line alone.
struct HistorySeal {
  /// CRC-32 and size of `results.sqlite`.
  var database: String
  /// By date how a night's record and its folder looked.
  var nights: [String: String]

  private static let name = ".history"

  /// As the last night left it; nil where there is none.
  ///
  /// - Parameter folder: `DIR/<job>`.
  /// - Throws: `OfferliftError` 73 or 74 where it cannot be read.
  init?(in folder: String) throws {
    let path = Self.path(Self.name, in: folder)
    guard try Folder.exists(path) else { return nil }
    let lines = String(decoding: try StoredFile.bytes(of: path), as: UTF8.self).split(whereSeparator: \.isNewline)
    database = lines.first.map(String.init) ?? ""
    let pairs = lines.dropFirst().map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
    nights = Dictionary(pairs.map { ($0[0], $0.last ?? "") }) { first, _ in first }
  }

  /// As everything is now.
  ///
  /// - Throws: as above.
  init(of database: String, in folder: String) throws {
    self.database = try Self.checksum(of: database)
    nights = [:]
    for night in try NightFolders(folder).published { nights[night] = Self.looks(ofNight: night, in: folder) }
  }

  /// Remembers it.
  func write(in folder: String) throws {
    let lines = [database] + nights.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    try FileWriter.replace(Self.path(Self.name, in: folder), with: Array(lines.map { "\($0)\n" }.joined().utf8))
  }

  /// Whether the night's folder is the one that was there.
  func knows(_ night: String, in folder: String) -> Bool { nights[night] == Self.looks(ofNight: night, in: folder) }

  static func checksum(of path: String) throws -> String {
    var (checksum, size) = (Checksum(), 0)
    try StoredFile.read(path) { bytes in
      checksum.update(bytes)
      size += bytes.count
    }
    return "\(NumberText.checksum(checksum.crc32))-\(size)"
  }

  /// Size and time of the record and of the folder itself: a night that is published anew has others.
  private static func looks(ofNight night: String, in folder: String) -> String {
    let folder = path(night, in: folder)
    return [path(NightFiles.runRecord, in: folder), folder].map { FileState($0)?.text ?? "-" }.joined(separator: " ")
  }

  private static func path(_ name: String, in folder: String) -> String {
    (folder as NSString).appendingPathComponent(name)
  }
}
