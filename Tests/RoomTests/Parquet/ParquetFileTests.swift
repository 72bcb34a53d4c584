import Foundation
import Testing

@testable import Parquet
@testable import Platform

/// Files that another program has written, and what each of their cells says: see `parquet_files.py`.
struct WrittenFile: Decodable, CustomTestStringConvertible {
  var name: String
  var bytes: Data
  var columns: [String: [String?]]

  var testDescription: String { name }

  static let all: [WrittenFile] = {
    let path = repository.appending(path: "Tests/RoomTests/Parquet/ParquetFiles.json")
    return (try? JSONDecoder().decode([WrittenFile].self, from: Data(contentsOf: path))) ?? []
  }()
}

@Suite("Parquet files")
struct ParquetFileTests {
  /// What a file's cells say, by column.
  private static func cells(_ bytes: some Sequence<UInt8>, in folder: TemporaryFolder) throws -> [String: [String?]] {
    try folder.write("file.parquet", bytes)
    let file = try ParquetFile(folder.path("file.parquet"), displayName: "file.parquet")
    let columns = file.columns
    var rows = ParquetRows(file, columns.map(\.node))
    var found = columns.map { _ in [String?]() }
    while true {
      let count = try rows.next(atMost: 2048)
      if count == 0 { break }
      for (column, cells) in rows.cells.enumerated() {
        found[column] += (0..<count).map {
          cells.isNull[$0] ? nil : String(decoding: cells.bytes[cells.range($0)], as: UTF8.self)
        }
      }
    }
    return Dictionary(zip(columns.map { $0.path.joined(separator: ".") }, found)) { first, _ in first }
  }

  @Test("Each cell says what its writer was given", arguments: WrittenFile.all)
  func cells(file: WrittenFile) throws {
    let found = try Self.cells(file.bytes, in: TemporaryFolder())
    for (column, texts) in file.columns { #expect(found[column] == texts, "\(column)") }
  }

  @Test("A footer without rows is no other file's")
  func footerWithoutRows() throws {
    func file(rows: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      var writer = ParquetWriter([.init(name: "word", type: .text)])
      for row in 0..<rows { writer.append([.text("word \(row)")]) { bytes += $0 } }
      writer.finish { bytes += $0 }
      return bytes
    }
    let (full, empty) = (file(rows: 40), file(rows: 0))
    let folder = try TemporaryFolder()
    #expect(try Self.cells(empty, in: folder)["word"] == [])
    let fault = #expect(throws: ParquetFault.self) { try Self.cells(full.dropLast(8) + empty.dropFirst(4), in: folder) }
    #expect(fault?.words.hasPrefix("footer: it tells of no row, and ") == true && fault?.isDamage == true)
  }

  @Test("There are files of every kind")
  func kinds() { #expect(WrittenFile.all.count > 25) }

  @Test("A flipped bit is an error, or harmless", arguments: WrittenFile.all)
  func flippedBits(file: WrittenFile) throws {
    let folder = try TemporaryFolder()
    for bit in stride(from: file.columns.count % 7, to: file.bytes.count * 8, by: 131) {
      var bytes = Array(file.bytes)
      bytes[bit >> 3] ^= 1 << UInt8(bit & 7)
      do { _ = try Self.cells(bytes, in: folder) } catch is ParquetFault {}
    }
  }

  @Test("A file that is cut off is an error", arguments: WrittenFile.all)
  func cuts(file: WrittenFile) throws {
    let folder = try TemporaryFolder()
    for end in stride(from: 0, to: file.bytes.count, by: 61) {
      #expect(throws: ParquetFault.self) { try Self.cells(file.bytes.prefix(end), in: folder) }
    }
  }

  @Test("A page whose checksum does not match names row group and column")
  func checksum() throws {
    let file = try #require(WrittenFile.all.first { $0.name == "none, pages 1.0" })
    var bytes = Array(file.bytes)
    // The first page is the dictionary of the first column.
    let position = try #require(bytes.indices.first { bytes[$0...].starts(with: "same".utf8) })
    bytes[position] = UInt8(ascii: "S")
    #expect {
      try Self.cells(bytes, in: TemporaryFolder())
    } throws: { error in
      (error as? ParquetFault)?.words == "row group 1, column word: a page's checksum does not match"
    }
  }

  @Test(
    "What is packed in a way that is not read is refused by name", arguments: [(4, "Brotli"), (3, "LZO"), (5, "LZ4")])
  func refusedPacking(codec: UInt8, name: String) throws {
    let file = try #require(WrittenFile.all.first { $0.name == "booleans in runs" })
    var bytes = Array(file.bytes)
    // In the footer the codec stands behind the column's path: field 4, a zigzag number.
    let path = Array("flag".utf8)
    let position = try #require(bytes.indices.last { bytes[$0...].starts(with: path + [0x15, 0]) })
    bytes[position + 5] = codec * 2
    #expect {
      try Self.cells(bytes, in: TemporaryFolder())
    } throws: { error in
      let fault = error as? ParquetFault
      return fault?.isDamage == false && fault?.words.contains(name) == true
    }
  }
}

@Suite("Levels and numbers of Parquet pages")
struct ParquetNumberTests {
  @Test("Numbers in runs, and packed: the specification's example")
  func runs() throws {
    // Three sevens, then 0 to 7 of three bits each.
    let bytes: [UInt8] = [6, 7, 3, 0b1000_1000, 0b1100_0110, 0b1111_1010]
    var runs = try RunLengths(bytes[...], width: 3)
    var numbers: [UInt32] = []
    try runs.append(11, to: &numbers)
    #expect(numbers == [7, 7, 7, 0, 1, 2, 3, 4, 5, 6, 7])
    #expect(throws: ParquetFault.self) { try runs.append(1, to: &numbers) }
  }

  @Test("Levels packed the old way: the specification's example")
  func oldLevels() throws {
    var levels = Levels(packed: [0b0000_0101, 0b0011_1001, 0b0111_0111], most: 7)
    var found: [UInt8] = []
    try levels.append(8, to: &found)
    #expect(found == [0, 1, 2, 3, 4, 5, 6, 7])
    #expect(throws: ParquetFault.self) { try levels.append(1, to: &found) }
  }

  @Test("A level beyond the column's is damage")
  func deepLevel() throws {
    var levels = Levels(packed: [0b1110_0000], most: 4)
    var found: [UInt8] = []
    #expect(throws: ParquetFault.self) { try levels.append(1, to: &found) }
  }

  @Test("A run of so many numbers that no page has them is damage, and takes no memory")
  func longRun() throws {
    var runs = try RunLengths([0xff, 0xff, 0xff, 0xff, 0x7f, 1][...], width: 1)
    var numbers: [UInt32] = []
    #expect(throws: ParquetFault.self) { try runs.append(1, to: &numbers) }
  }

  @Test("A block that says that it holds more than its packing can is refused before memory is taken")
  func hugeBlock() {
    for packing in [BlockPacking.snappy, .gzip, .zstd, .lz4] {
      #expect(packing.unpack([1, 2, 3], size: 1 << 31 - 1) == nil)
      #expect(packing.unpack([], size: 10) == nil)
    }
  }
}
