import Domain
import Foundation
import Jobs
import Platform

/// Finds files of one kind that hold the same bytes, before they are read: a link beside its file, one file that two
/// inputs name, a packed copy.
///
/// Of such files the first one counts, in order of their names. What tells files apart is looked at in turn, and the next
/// only where nothing has: what lies on the disk at all, the first bytes and the last ones, and then everything.
struct SameFiles {
  /// A file, and what tells it from files of which other things are read.
  struct Candidate {
    var file: InputFile
    /// The job's name for its input.
    var input: String
    /// Files of one kind tell the same of the same bytes.
    var kind: String
    /// Its bytes alone say what is in it: those of a database do not.
    var isText = true
  }

  /// By input its files as they are to be read: those that another one stands for are marked.
  ///
  /// - Throws: `OfferliftError`, exit 66 or 74, where a file cannot be looked at for a moment: taken for one that no other
  ///   is like, it would count twice.
  static func marked(_ inputs: [[Candidate]]) throws -> [[InputFile]] {
    // What is looked at here is read later on, and counted then for whoever shows how far the command has come.
    var files = try ProgressMeter.$current.withValue(nil) { try mark(inputs.flatMap(\.self)) }[...]
    return inputs.map { candidates in
      defer { files = files.dropFirst(candidates.count) }
      return Array(files.prefix(candidates.count))
    }
  }

  private static func mark(_ candidates: [Candidate]) throws -> [InputFile] {
    var files = candidates.map(\.file)
    let kinds = Dictionary(grouping: candidates.indices.filter { candidates[$0].file.isOnDisk }) { candidates[$0].kind }
    for positions in kinds.values where positions.count > 1 {
      let ordered = positions.sorted { left, right in
        let (one, other) = (candidates[left].file.displayName, candidates[right].file.displayName)
        return one.utf8.elementsEqual(other.utf8) ? left < right : one.utf8.lexicographicallyPrecedes(other.utf8)
      }
      try mark(ordered, of: candidates, &files)
    }
    return files
  }

  /// Marks files of one kind, which come in the order of their names.
  private static func mark(_ positions: [Int], of candidates: [Candidate], _ files: inout [InputFile]) throws {
    var first: [FileIdentity: Int] = [:]
    var contents: [UInt32: [(position: Int, content: FileContents)]] = [:]
    for position in positions {
      let file = candidates[position].file
      // Of a file that is gone whoever reads it says so.
      guard let identity = try FileIdentity(lookingAt: file.path, displayName: file.displayName), identity.isFile else {
        continue
      }
      if let original = first[identity], candidates[original].file.limit == file.limit {
        files[position].sameAs = same(candidates[original])
        continue
      }
      first[identity] = position
      let size = min(identity.size, file.limit ?? .max)
      guard candidates[position].isText, size > 0, let content = try FileContents(file, size: size) else { continue }
      let alike = contents[content.checksumOfBeginning, default: []]
      if let original = try alike.first(where: { try $0.content.isEqual(to: content) }),
        let reported = try content.digest()
      {
        var same = same(candidates[original.position])
        (same.bytes, same.crc32) = (reported.bytesOnDisk, reported.crc32OnDisk)
        files[position].sameAs = same
      } else {
        contents[content.checksumOfBeginning] = alike + [(position, content)]
      }
    }
  }

  private static func same(_ original: Candidate) -> SameFile {
    SameFile(file: original.file.displayName, input: original.input)
  }
}

extension TableInput {
  /// The input's files, those marked that hold the bytes of another.
  ///
  /// - Throws: as `files(relativeTo:)`.
  package func countedFiles(relativeTo jobFile: URL, in context: RunContext = RunContext()) throws -> [InputFile] {
    try SameFiles.marked([SameFiles.Candidate.all(try files(relativeTo: jobFile, in: context), of: self)])[0]
  }
}

extension SameFiles.Candidate {
  /// The files of a table.
  static func all(_ files: [InputFile], of input: TableInput) -> [Self] {
    all(files, of: input, kind: ReadingFingerprint.kind(of: input))
  }

  /// The files of a purchase log.
  static func all(_ files: [InputFile], of input: PurchaseInput) -> [Self] {
    all(files, of: input.table, kind: ReadingFingerprint.kind(of: input))
  }

  private static func all(_ files: [InputFile], of input: TableInput, kind: String) -> [Self] {
    files.map { Self(file: $0, input: input.name, kind: kind, isText: input.format != .sqlite) }
  }
}
