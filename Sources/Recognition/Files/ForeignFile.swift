import Engine
import Platform

/// Files that people have in place of text, known by their first bytes and never by their names.
enum ForeignFile {
  case utf16LE, utf16BE, utf32, workbook, openDocument, zip, tar, legacyOffice
  case gzip, bzip2, xz, zstd, lz4, sevenZip, compress
  case parquet, orc, avro, arrow, sqlite, pdf, web, xml, separator
  case bare(BareDeflate)
  case dump(SQLDump)

  private static let marked: [ForeignFile] = [
    .utf16LE, .utf16BE, .utf32, .workbook, .openDocument, .zip, .tar, .legacyOffice, .gzip, .bzip2, .xz, .zstd, .lz4,
    .sevenZip, .compress, .parquet, .orc, .avro, .arrow, .sqlite, .pdf, .web, .xml, .separator,
  ]

  /// What a file begins with; nil for what may be text.
  init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    if let kind = Self.marked.first(where: { $0.isBeginning(of: bytes) }) {
      self = kind
    } else if let dump = SQLDump(bytes) {
      self = .dump(dump)
    } else if Self.isBinary(bytes), let kind = BareDeflate(bytes) {
      self = .bare(kind)
    } else {
      return nil
    }
  }

  /// What such a file is called.
  var name: String {
    switch self {
    case .utf16LE, .utf16BE: "text in UTF-16 without its mark"
    case .utf32: "text in UTF-32"
    case .workbook: "an Excel workbook (.xlsx)"
    case .openDocument: "an OpenDocument spreadsheet (.ods)"
    case .zip: "a zip archive within what is packed already"
    case .tar: "a tar archive"
    case .legacyOffice: "an old Excel workbook (.xls)"
    case .gzip: "gzip within what is packed already"
    case .bzip2: "packed with bzip2"
    case .xz: "packed with xz"
    case .zstd: "packed with zstd within what is packed already"
    case .lz4: "packed with lz4"
    case .sevenZip: "a 7z archive"
    case .compress: "packed with compress (.Z)"
    case .parquet: "a Parquet file"
    case .orc: "an ORC file"
    case .avro: "an Avro file"
    case .arrow: "an Arrow file"
    case .sqlite: "an SQLite file"
    case .pdf: "a PDF document"
    case .web: "a web page"
    case .xml: "XML"
    case .separator: "a table below a line for Excel (sep=)"
    case .bare(.zlib): "packed with zlib, which is not gzip"
    case .bare(.raw): "packed with deflate, without gzip's header"
    case .dump(let dump): dump.name
    }
  }

  /// What to do about it.
  func remedy(_ input: ShellInput) -> String {
    switch self {
    case .utf16LE: "Write it anew in UTF-8: \(input.piped(into: "iconv -f UTF-16LE -t UTF-8")) > FILE."
    case .utf16BE: "Write it anew in UTF-8: \(input.piped(into: "iconv -f UTF-16BE -t UTF-8")) > FILE."
    case .utf32: "Write it anew in UTF-8: \(input.piped(into: "iconv -f UTF-32 -t UTF-8")) > FILE."
    case .workbook, .openDocument, .legacyOffice:
      "Save it as \"CSV UTF-8\" in the program that made it, and name that file; see that ids and times come out as "
        + "they were."
    case .zip: "Unpack it once: \(input.unpacked ?? "cat \(input.word)") > FILE.zip."
    case .tar: unpack(Self.tar(input.packing), input)
    case .gzip: "Unpack it once: \(input.unpacked ?? "cat \(input.word)") > FILE.gz."
    case .bzip2: repack(with: "bzip2 -dc", input)
    case .xz: repack(with: "xz -dc", input)
    case .zstd: "Unpack it once: \(input.unpacked ?? "cat \(input.word)") > FILE.zst."
    case .lz4: repack(with: "lz4 -dc", input)
    case .sevenZip: unpack("7z x", input)
    case .compress: repack(with: "uncompress -c", input)
    case .parquet:
      input.unpacked.map { "It is read where it lies: unpack it, \($0) > FILE.parquet, and name that file." }
        ?? "Say format: csv; its columns are read by their names."
    case .orc, .avro, .arrow: "Write it as CSV, or as one JSON object a line."
    case .sqlite: "Say format: sqlite and table: NAME; for a purchase log write the table as CSV."
    case .pdf: "Name the file the figures were taken from."
    case .web: "The download may have ended at a log-in page; fetch it again."
    case .xml: "It may be a storage's answer that there is no such file; fetch it again."
    case .separator: "Leave that line out: \(input.piped(into: "tail -n +2")) > FILE.csv."
    case .bare(.zlib): repackBare("zlib.decompress(sys.stdin.buffer.read())", input)
    case .bare(.raw): repackBare("zlib.decompress(sys.stdin.buffer.read(), -15)", input)
    case .dump(let dump): dump.remedy(input)
    }
  }

  private static func tar(_ packing: Packing?) -> String {
    switch packing {
    case .gzip: "tar -xzf"
    case .zstd: "tar --zstd -xf"
    case nil: "tar -xf"
    }
  }

  private func unpack(_ program: String, _ input: ShellInput) -> String {
    "Unpack it (\(program) \(input.word)), pack what is in it with gzip if it is to be small, and name that file."
  }

  private func repack(with program: String, _ input: ShellInput) -> String {
    let packed = "Pack it with gzip: \(input.piped(into: program)) | gzip > FILE.gz"
    guard let command = input.command(program) else { return packed + "." }
    return "\(packed). Or have each run unpack it: \(command) in place of path:, and offerlift run --allow-commands."
  }

  private func repackBare(_ expression: String, _ input: ShellInput) -> String {
    let program = "python3 -c 'import sys, zlib; sys.stdout.buffer.write(\(expression))'"
    return "Pack it with gzip: \(input.fed(into: program)) | gzip > FILE.gz."
  }

  // MARK: - First bytes

  /// Among the first bytes are some that no text has.
  private static func isBinary(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(512).contains { $0 < 0x09 || (0x0e..<0x20).contains($0) || $0 == 0x7f }
  }

  private func isBeginning(of bytes: [UInt8]) -> Bool {
    switch self {
    case .utf16LE: Self.isUTF16(bytes, zeros: 1)
    case .utf16BE: Self.isUTF16(bytes, zeros: 0)
    case .utf32: bytes.starts(with: [0xff, 0xfe, 0, 0]) || bytes.starts(with: [0, 0, 0xfe, 0xff])
    case .workbook: Self.isZip(bytes) && (Self.holds(bytes, "[Content_Types].xml") || Self.holds(bytes, "xl/"))
    case .openDocument: Self.isZip(bytes) && Self.holds(bytes, "mimetypeapplication/vnd.oasis.opendocument")
    case .zip: Self.isZip(bytes)
    case .tar: bytes.dropFirst(257).starts(with: "ustar".utf8)
    case .legacyOffice: bytes.starts(with: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
    case .gzip: bytes.starts(with: [0x1f, 0x8b])
    case .bzip2:
      bytes.starts(with: "BZh".utf8) && bytes.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
    case .xz: bytes.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])
    case .zstd: bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd])
    case .lz4: bytes.starts(with: [0x04, 0x22, 0x4d, 0x18])
    case .sevenZip: bytes.starts(with: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])
    case .compress: bytes.starts(with: [0x1f, 0x9d])
    case .parquet: bytes.starts(with: "PAR1".utf8) || bytes.starts(with: "PARE".utf8)
    case .orc: bytes.starts(with: "ORC".utf8) && bytes.dropFirst(3).first.map { $0 < 0x20 } ?? false
    case .avro: bytes.starts(with: Array("Obj".utf8) + [1])
    case .arrow: bytes.starts(with: "ARROW1".utf8)
    case .sqlite: bytes.starts(with: Array("SQLite format 3".utf8) + [0])
    case .pdf: bytes.starts(with: "%PDF-".utf8)
    case .web: Self.beginsWithTag(bytes, ["<!doctype html", "<html"])
    case .xml: Self.beginsWithTag(bytes, ["<?xml", "<error>"])
    case .separator: Self.namesSeparator(bytes)
    case .bare, .dump: false
    }
  }

  /// The first line says what stands between cells, `sep=;`, as Excel has it said.
  private static func namesSeparator(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(16).drop { [0xef, 0xbb, 0xbf].contains($0) }
    guard let end = start.firstIndex(where: { $0 == 0x0a || $0 == 0x0d }) else { return false }
    let line = String(decoding: start[..<end].filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self).lowercased()
    return line.hasPrefix("sep=") && line.utf8.count == 5
  }

  /// Two bytes a letter without a mark that says so: of plain text every other byte is 0.
  private static func isUTF16(_ bytes: [UInt8], zeros: Int) -> Bool {
    let start = bytes.prefix(16)
    guard start.count >= 4, start.count % 2 == 0 else { return false }
    return start.enumerated().allSatisfy { ($1 == 0) == ($0 % 2 == zeros) }
  }

  private static func isZip(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x50, 0x4b, 3, 4]) || bytes.starts(with: [0x50, 0x4b, 5, 6])
  }

  private static func holds(_ bytes: [UInt8], _ word: String) -> Bool {
    let word = Array(word.utf8)
    guard bytes.count >= word.count else { return false }
    return (0...bytes.count - word.count).contains { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
  }

  private static func beginsWithTag(_ bytes: [UInt8], _ tags: [String]) -> Bool {
    let text = bytes.prefix(200).drop { $0 <= 0x20 || [0xef, 0xbb, 0xbf].contains($0) }
    let start = String(decoding: text, as: UTF8.self).lowercased()
    return tags.contains { start.hasPrefix($0) }
  }
}
