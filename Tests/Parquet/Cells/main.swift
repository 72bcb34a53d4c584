import Domain
import Foundation
import Parquet

/// Says of Parquet files what their cells are, for `check_cells.py`: thousands of files in one process.
///
/// Reads paths from the standard input, one a line, and answers each with a line: `sound`, the number of rows and a hash of
/// all cells; or `fault` and why the file is not read. With `--cells` a file's cells are written beside it as JSON, by
/// column: `a.parquet.json`.
let writesCells = CommandLine.arguments.contains("--cells")

/// Fowler, Noll and Vo's hash of 64 bits (FNV-1a).
struct Hash {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
}

func answer(_ path: String) throws -> String {
  let file = try ParquetFile(path, displayName: path)
  let columns = file.columns
  var rows = ParquetRows(file, columns.map(\.node))
  var hashes = columns.map { _ in Hash() }
  var texts = columns.map { _ in [String?]() }
  var total = 0
  while true {
    let count = try rows.next(atMost: 1024)
    if count == 0 { break }
    total += count
    for (column, cells) in rows.cells.enumerated() {
      for row in 0..<count {
        hashes[column].add(cells.isNull[row] ? 0 : 1)
        for position in cells.range(row) { hashes[column].add(cells.bytes[position]) }
      }
      guard writesCells else { continue }
      texts[column] += (0..<count).map {
        cells.isNull[$0] ? nil : String(decoding: cells.bytes[cells.range($0)], as: UTF8.self)
      }
    }
  }
  let names = columns.map { $0.path.joined(separator: ".") }
  if writesCells {
    let encoded = try JSONEncoder().encode(Dictionary(zip(names, texts)) { first, _ in first })
    try encoded.write(to: URL(fileURLWithPath: path + ".json"))
  }
  var all = Hash()
  for (name, hash) in zip(names, hashes) {
    name.utf8.forEach { all.add($0) }
    withUnsafeBytes(of: hash.value) { $0.forEach { all.add($0) } }
  }
  return "sound \(total) \(all.value)"
}

while let path = readLine() {
  var line: String
  do {
    line = try answer(path)
  } catch let fault as ParquetFault {
    line = "fault \(fault.words)"
  } catch let error as OfferliftError {
    line = "fault \(error.message)"
  }
  FileHandle.standardOutput.write(Data((line.replacing("\n", with: " ") + "\n").utf8))
}
