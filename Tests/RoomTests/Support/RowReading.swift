import Foundation

@testable import Domain
@testable import Engine
@testable import Measurement

/// A row as a test compares it: where it stands, and each field as text or what it is instead.
struct PlainRow: Equatable, CustomStringConvertible {
  var line: Int
  var offset: Int64
  /// Nil for a row that is sound.
  var fault: SetAsideReason?
  /// Empty for a row that is not sound; nil for a field that is missing or NULL.
  var fields: [String?]

  var description: String {
    fault.map { "line \(line), byte \(offset): \($0)" } ?? "line \(line), byte \(offset): \(fields)"
  }
}

/// Walks bytes through a format the way a file is walked, in windows that grow by `step` bytes at a time.
///
/// Small steps put a window's end behind every byte of a small file.
func rows<Format: RecordFormat>(
  _ bytes: [UInt8], as makeFormat: @autoclosure () throws -> Format, width: Int, step: Int = .max
) throws -> [PlainRow] {
  var format = try makeFormat()
  let arena = TextArena()
  let batch = RecordBatch(width: width)
  let step = min(step, max(bytes.count, 1))
  var found: [PlainRow] = []
  var (start, end, line) = (0, min(step, bytes.count), 1)
  while start < bytes.count {
    arena.clear()
    let window = arena.copy(bytes[start..<end])
    batch.begin(window, byteOffset: Int64(start), firstLine: line)
    let accepted = try format.read(window, isLast: end == bytes.count, into: batch)
    found += (0..<batch.count).map { plainRow($0, of: batch) }
    if accepted.bytes == 0, end == bytes.count { break }
    start += accepted.bytes
    line += accepted.lines
    if accepted.bytes == 0 || start == end { end = min(bytes.count, end + step) }
  }
  return found
}

func rows<Format: RecordFormat>(
  _ text: String, as makeFormat: @autoclosure () throws -> Format, width: Int, step: Int = .max
) throws -> [PlainRow] {
  try rows(Array(text.utf8), as: makeFormat(), width: width, step: step)
}

func plainRow(_ row: Int, of batch: RecordBatch) -> PlainRow {
  let fault = batch.fault(of: row)?.reason
  let fields = (0..<batch.width).map { field -> String? in
    let value = batch.fields(of: row)[field]
    return value.isMissing ? nil : value.string
  }
  return PlainRow(
    line: batch.line(of: row), offset: batch.byteOffset(of: row), fault: fault, fields: fault == nil ? fields : [])
}

/// What a file comes to when it is read as the product reads it, window size and all.
func reading<Format: RecordFormat>(
  _ file: InputFile, as makeFormat: @autoclosure () throws -> Format, width: Int
) throws -> (rows: [PlainRow], reading: FileReading) {
  var format = try makeFormat()
  var reading = FileReading(input: "test", file: file)
  var found: [PlainRow] = []
  _ = try reading.read(file, as: &format, width: width, onCorrupt: .fail, limit: nil) { batch, reading in
    for row in 0..<batch.count {
      found.append(plainRow(row, of: batch))
      if let fault = batch.fault(of: row) { reading.reject(fault) } else { reading.account.outcomes.use() }
    }
  }
  return (found, reading)
}

/// A binding to columns of these names, none of which must be there unless `isRequired`.
func columns(_ names: [String], isRequired: Bool = false) -> ColumnBinding {
  ColumnBinding(
    columns: names, isRequired: names.map { _ in isRequired }, file: "table.csv", jobLocation: "job.yml, line 7")
}
