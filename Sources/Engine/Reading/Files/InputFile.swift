import Domain
import Foundation
import Jobs
import Platform

/// One file of an input: where it lies and what it is called.
package struct InputFile: Sendable {
  package let path: String
  /// As messages and `inputs.csv` have it: relative to the job file's folder where it was written so.
  package let displayName: String
  /// Where its bytes come from in place of the path; nil of a file that lies there.
  private var feed: (any ByteFeed)?
  /// Behind how many bytes it is taken to end; nil: where it does.
  private(set) var limit: Int64?
  /// The file whose bytes it holds, too, so that nothing of it is read; nil where it is read itself.
  package var sameAs: SameFile?
  /// What it shares with the other files of its run.
  let context: RunContext
  /// How a task takes part in reading it; nil where it reads all of it by itself.
  var slot: FileSlot?

  package init(path: String, displayName: String, in context: RunContext = RunContext()) {
    self.path = path
    self.displayName = displayName
    self.context = context
  }

  /// A file whose bytes come from elsewhere.
  ///
  /// - Parameter limit: as many of them as are read; nil is all.
  package init(_ feed: any ByteFeed, displayName: String, limit: Int64? = nil, in context: RunContext = RunContext()) {
    self.init(path: "", displayName: displayName, in: context)
    (self.feed, self.limit) = (feed, limit)
  }

  /// As many of its bytes as the limit says, from the first on; nil is all.
  package func upTo(_ limit: Int64?) -> InputFile {
    guard let limit else { return self }
    var file = self
    file.limit = limit
    return file
  }

  /// It lies on this machine's disks.
  var isOnDisk: Bool { feed == nil && !path.isEmpty }

  /// How many bytes of it are read; 0 where that is not known.
  package var size: Int64 {
    sameAs == nil ? min(FileIdentity(ofFileAt: path)?.size ?? 0, limit ?? .max) : 0
  }

  /// - Throws: as `ByteSource.init(path:displayName:limit:)`.
  func open() throws -> ByteSource {
    if let feed { return try ByteSource(feed, displayName: displayName, limit: limit) }
    return try ByteSource(path: path, displayName: displayName, limit: limit)
  }

  /// Whether the file's first `count` bytes have a checksum; a file that is shorter does not.
  ///
  /// - Throws: `OfferliftError`, as `ByteSource`.
  package func begins(with count: Int64, crc32: UInt32) throws -> Bool {
    let source = try ByteSource(path: path, displayName: displayName, limit: count)
    try source.drain()
    return source.bytesRead == count && source.crc32 == crc32
  }

  /// Where a file lies, be it kept from a pipe.
  ///
  /// - Throws: `OfferliftError`, exit 66, where it is a pipe, and this command reads files alone, or a device, which may
  ///   never end.
  package static func pathOfFile(at path: String, displayName: String, pipes: PipeSpool? = nil) throws -> String {
    switch RegularFile.kind(of: path) {
    case nil, .folder: return path
    case .pipe:
      if let pipes { return try pipes.path(ofPipeAt: path, displayName: displayName) }
      throw OfferliftError(
        .inputMissing,
        "\(displayName) is a pipe: what it tells is gone once it is read, so this command cannot look into it; only "
          + "offerlift run reads one. Name a file, or type offerlift run.")
    case .some(let kind):
      throw OfferliftError(
        .inputMissing, "\(displayName) is \(kind.rawValue), and no file: it may never end. Name a file.")
    }
  }

  /// The file that lies at a path, or of a zip archive its members, each of which is a file: `reports.zip/march.csv`.
  ///
  /// An archive that is damaged, and a workbook, is one file: whoever reads it says what it is.
  ///
  /// - Throws: `OfferliftError`, exit 65, where an archive holds no file; 66 or 74 where the file cannot be opened or read:
  ///   an archive would be taken for one file.
  package static func files(
    at path: String, displayName: String, in context: RunContext = RunContext()
  ) throws -> [InputFile] {
    let file = InputFile(path: path, displayName: displayName, in: context)
    guard let archive = try archive(at: path, displayName: displayName), !archive.isDocument else { return [file] }
    guard !archive.names.isEmpty else {
      throw OfferliftError(
        .badData, "\(displayName) is a zip archive with no file in it. Fetch it again, or remove it.")
    }
    return archive.names.map { InputFile(path: "\(path)/\($0)", displayName: "\(displayName)/\($0)", in: context) }
  }

  /// Nil where the file is no archive whose list is sound.
  private static func archive(at path: String, displayName: String) throws -> ZipArchive? {
    do { return try ZipArchive(at: path, displayName: displayName) } catch is CorruptFile { return nil }
  }
}

extension ProgressMeter {
  /// Says that the files will be read from beginning to end in this stage.
  func expect(_ files: some Sequence<InputFile>) {
    expect(files.reduce(0) { $0 + $1.size })
  }
}
