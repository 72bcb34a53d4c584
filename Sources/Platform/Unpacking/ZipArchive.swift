import Domain
import Foundation
import Synchronization

/// The files in a zip archive, by the list at its end; folders, and what systems note beside files, are none of them.
///
/// A path may lead into an archive, `logs/reports.zip/march.csv`: whatever reads a file by its path reads such a member.
/// Nothing is ever written under a member's name, so that it may be any text.
package struct ZipArchive: Sendable {
  /// Of a path into an archive, where that lies and what the member is called.
  package struct Position: Sendable {
    package let archive: String
    package let member: String
  }

  struct Member: Sendable {
    let name: String
    /// In bytes, unpacked and as it lies in the archive.
    let size: Int64
    let packedSize: Int64
    let crc32: UInt32
    /// 0 as it is, 8 deflated; others are not read. Source: APPNOTE.TXT 6.3.10, section 4.4.5.
    let method: UInt
    let isEncrypted: Bool
    /// Where it begins.
    let position: Int64
    /// As which member the list tells of it, from 0.
    let number: UInt64
  }

  let members: [Member]
  /// Where in `members` a name stands: each of thousands of members is looked for when it is opened.
  private let positions: [String: Int]

  /// What the members are called, in order of their bytes.
  package var names: [String] { members.map(\.name) }

  /// A workbook or another document that its program keeps as an archive.
  package var isDocument: Bool { members.contains { ["[Content_Types].xml", "mimetype"].contains($0.name) } }

  package static func isBeginning(of bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: [0x50, 0x4b, 3, 4]) || bytes.starts(with: [0x50, 0x4b, 5, 6])
  }

  /// Reads the list of an archive; nil of a file that does not begin as one.
  ///
  /// - Throws: `CorruptFile` where the list is cut off or damaged, or calls two members by one name; `OfferliftError`,
  ///   exit 66 where the file cannot be opened, 74 where it cannot be read.
  package init?(at path: String, displayName: String) throws {
    var beginning: [UInt8] = []
    let file = try FileReader(path, displayName: displayName)
    _ = try file.read(into: &beginning, upTo: 4)
    guard Self.isBeginning(of: beginning) else { return nil }
    let state = FileState(path)
    if let known = Self.known.withLock({ $0[path] }), known.state == state {
      self = known.archive
      return
    }
    members = try Self.list(path, displayName)
    positions = Dictionary(uniqueKeysWithValues: zip(members.map(\.name), members.indices))
    let read = self
    Self.known.withLock { $0[path] = (state, read) }
  }

  /// The member of a name; nil where there is none.
  func member(_ name: String) -> Member? { positions[name].map { members[$0] } }

  /// A member is looked for whenever it is opened or asked for its size.
  private static let known = Mutex<[String: (state: FileState?, archive: ZipArchive)]>([:])

  /// A folder, or a file that macOS or Windows has put beside the files: `.DS_Store`, `Thumbs.db`.
  private static func isNote(_ name: String) -> Bool {
    let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return last.isEmpty || last.hasPrefix("._") || name.hasPrefix("__MACOSX/")
      || [".ds_store", "thumbs.db", "desktop.ini"].contains(last.lowercased())
  }

  /// Whatever is done for each file is done for an empty one, too, of which a few bytes make one more. A quarter of a
  /// century of empty days is that many.
  private static let mostEmpty = 10_000

  /// The names of two members that share bytes; nil where each has its own. The list then tells how much there is to
  /// unpack: no more than so many times the archive's size.
  private static func overlapping(_ members: [Member]) -> (String, String)? {
    /// Of the header before a member's bytes, without its texts.
    let headerSize: Int64 = 30
    let inPlace = members.sorted { ($0.position, $0.number) < ($1.position, $1.number) }
    return zip(inPlace, inPlace.dropFirst()).first { $0.position + headerSize + $0.packedSize > $1.position }
      .map { ($0.name, $1.name) }
  }

  private static func list(_ path: String, _ displayName: String) throws -> [Member] {
    let file = try RandomAccessFile(path, displayName: displayName)
    func corrupt(_ what: String) -> CorruptFile { CorruptFile(file: displayName, byte: file.size, what: what) }
    var members: [Member] = []
    var names: Set<String> = []
    do {
      for member in try ZipList(of: file).members
      where !isNote(member.name) {
        guard names.insert(member.name).inserted else { throw corrupt("holds two members called \(member.name)") }
        members.append(member)
      }
    } catch let damage as ZipList.Damaged {
      throw corrupt(damage.what)
    }
    let empty = members.count { $0.size == 0 }
    guard empty <= mostEmpty else {
      throw CorruptFile(
        file: displayName, byte: file.size,
        what: "holds \(empty) empty files, and more than \(mostEmpty) in one archive are not read",
        remedy: "Unpack it, and name the files that have rows")
    }
    if let (first, second) = overlapping(members) {
      throw corrupt("holds the members \(first) and \(second) in the same bytes, which unpack to more than was packed")
    }
    return members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

extension ZipArchive.Position {
  /// Nil of a path that leads into no file, or of which the system does not say where it leads.
  package init?(_ path: String) {
    guard let position = try? Self(lookingAt: path) else { return nil }
    self = position
  }

  /// Nil of a path that leads into no file.
  ///
  /// - Throws: `UnseenPath`.
  package init?(lookingAt path: String) throws(UnseenPath) {
    var end = path.endIndex
    while let slash = path[..<end].lastIndex(of: "/"), slash > path.startIndex {
      var status = stat()
      let above = String(path[..<slash])
      if stat(above, &status) == 0 {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        (archive, member) = (above, String(path[path.index(after: slash)...]))
        return
      }
      let isBelowFile = errno == ENOTDIR
      if let unseen = UnseenPath.last { throw unseen }
      guard isBelowFile else { return nil }
      end = slash
    }
    return nil
  }

  /// The member's size in bytes, unpacked, and which one it is, from 0; nil where there is none.
  ///
  /// - Throws: as `ZipArchive.init`.
  package func about() throws -> (size: Int64, number: UInt64)? {
    try found(archive).map { ($0.size, $0.number) }
  }

  private func found(_ displayName: String) throws -> ZipArchive.Member? {
    try ZipArchive(at: archive, displayName: displayName)?.member(member)
  }

  /// The member's bytes, unpacked.
  ///
  /// - Throws: `OfferliftError`, exit 66 where there is no such member, 65 where it is encrypted or packed in a way that
  ///   is not read; as `ZipArchive.init`.
  func open(_ displayName: String) throws -> ZipMemberBytes {
    guard let member = try found(displayName) else {
      throw OfferliftError(.inputMissing, "\(displayName): the archive has no such member any more.")
    }
    guard !member.isEncrypted else {
      throw OfferliftError(.badData, "\(displayName) is encrypted. Unpack it with its password, and name that file.")
    }
    guard [0, 8].contains(member.method) else {
      throw OfferliftError(
        .badData,
        "\(displayName) is packed by zip's method \(member.method)\(Self.names[member.method].map { " (\($0))" } ?? ""), "
          + "and only what is stored or deflated is read. Unpack it, and name that file.")
    }
    return try ZipMemberBytes(member, in: archive, displayName: displayName)
  }

  /// Source: APPNOTE.TXT 6.3.10, section 4.4.5.
  private static let names: [UInt: String] = [
    9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "zstd", 95: "xz", 98: "PPMd", 99: "AES",
  ]
}
