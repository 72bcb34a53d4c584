import CMinizip
import Domain
import Foundation

/// A zip archive, written member by member. It holds no times but zip's first, so the same members give the same bytes.
package final class ZipWriter {
  private let path: String
  /// Nil when the archive is closed.
  private var archive: zipFile?

  /// Creates an archive; what stands at `path` already is an error and left alone. Rights are those of
  /// `FileWriter.init(creating:)`.
  ///
  /// - Throws: `OfferliftError` (73 or 74) naming the path.
  package init(creating path: String) throws {
    self.path = path
    try FileWriter.write([], to: path)
    archive = zipOpen64(path, APPEND_STATUS_CREATE)
    guard archive != nil else { throw OutputFailure.error("create", path) }
  }

  deinit {
    if archive != nil { zipClose(archive, nil) }
  }

  /// Adds a member, packed; `body` hands its bytes over piece by piece.
  package func add(_ name: String, _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void) throws {
    var first = zip_fileinfo()
    (first.tmz_date.tm_year, first.tmz_date.tm_mday) = (1980, 1)
    // What the header says of the packing: the quickest kind.
    let quickest: Int32 = 1
    let isPacked: Int32 = 1
    // Excel offers to repair what has them; a member may so be 4 GB.
    let isZip64: Int32 = 0
    try holds(
      zipOpenNewFileInZip2_64(archive, name, &first, nil, 0, nil, 0, nil, Z_DEFLATED, quickest, isPacked, isZip64))
    let deflater = Deflater()
    var checksum = Checksum()
    var size: UInt64 = 0
    func write(_ packed: ArraySlice<UInt8>) throws {
      try packed.withUnsafeBytes { try holds(zipWriteInFileInZip(archive, $0.baseAddress, UInt32($0.count))) }
    }
    try body { bytes in
      checksum.update(bytes)
      size += UInt64(bytes.count)
      try deflater.write(bytes, to: write)
    }
    try deflater.finish(to: write)
    try holds(zipCloseFileInZipRaw64(archive, size, UInt(checksum.crc32)))
  }

  /// Writes the list of members, closes the archive and waits until the disk has it.
  ///
  /// - Throws: `OfferliftError` (73 or 74) naming the path, where not all of it could be written.
  package func finish() throws {
    let archive = archive
    self.archive = nil
    try holds(zipClose(archive, nil))
    try StoredFile.sync(path)
  }

  private func holds(_ status: Int32) throws {
    guard status == ZIP_OK else { throw OutputFailure.error("write", path) }
  }
}
