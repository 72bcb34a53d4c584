import CJSON
import Domain

/// A run of rows, each the same few fields, pointing into the bytes they were read from.
///
/// Rows and fields lie in two flat buffers that are used again for every batch: reading allocates nothing a
/// row. What a field points at lives until the next batch.
package final class RecordBatch {
  /// Fields a row.
  package let width: Int
  /// How many rows a batch takes.
  let capacity: Int
  /// How many rows it has.
  package private(set) var count = 0

  private let unsafeRows: UnsafeMutablePointer<ol_row>
  private let unsafeFields: UnsafeMutablePointer<ol_field>
  /// What the rows were read from, that text's offset in the unpacked file, and its first line, from 1.
  private var text = Text.empty
  private(set) var byteOffset: Int64 = 0
  private(set) var firstLine = 1
  /// Rows go by their numbers: no bytes of the file are one.
  private var isNumbered = false
  /// Why a row that is not sound is not, where the format can say.
  private var details: [Int: String] = [:]

  /// Whether a row could be read.
  package enum Status: UInt32 {
    case sound = 0
    case malformed = 1
    case invalidUTF8 = 2
    case tooLong = 3
    /// The job leaves the row out by what a column of it says.
    case skipped = 4
  }

  package init(width: Int, capacity: Int = 2048) {
    self.width = width
    self.capacity = capacity
    unsafeRows = .allocate(capacity: capacity)
    unsafeFields = .allocate(capacity: capacity * max(width, 1))
  }

  deinit {
    unsafeRows.deallocate()
    unsafeFields.deallocate()
  }

  /// Forgets all rows; those to come are read from `text`.
  package func begin(_ text: Text, byteOffset: Int64, firstLine: Int) {
    self.text = text
    self.byteOffset = byteOffset
    self.firstLine = firstLine
    isNumbered = false
    details.removeAll()
    count = 0
  }

  /// Forgets all rows; those to come stand in no text, and go by their numbers, from 1: these are their lines, and the
  /// number of rows before each its offset.
  package func begin(numberedFrom first: Int) {
    begin(.empty, byteOffset: Int64(first - 1), firstLine: first)
    isNumbered = true
  }

  // MARK: - Writing

  /// The fields of the row to be added next, all of them absent. The batch must not be full.
  func nextFields() -> Fields {
    precondition(count < capacity)
    let fields = Fields(start: unsafeFields + count * width, count: width)
    fields.clear()
    return fields
  }

  /// Adds the row whose fields are `nextFields`.
  ///
  /// - Parameters:
  ///   - position: where it stands in the text, without its line end.
  ///   - line: lines before it in the text.
  ///   - detail: why it is not sound; nil says what its status does.
  func add(_ position: Range<Int>, line: Int, _ status: Status, detail: String? = nil) {
    precondition(count < capacity)
    unsafeRows[count] = ol_row(
      offset: UInt32(position.lowerBound), length: UInt32(position.count), line: UInt32(line), status: status.rawValue)
    if let detail { details[count] = detail }
    count += 1
  }

  /// Adds the row whose fields are `nextFields`, of a batch that began by number.
  ///
  /// - Parameter number: in the batch, from 0.
  func add(number: Int, _ status: Status, detail: String?) {
    add(number..<number, line: number, status, detail: detail)
  }

  /// Looks at the encoding of the first `length` bytes: at all of them at once, and at each row only where that fails.
  func refuseRowsOtherThanUTF8(upTo length: Int) {
    guard !text.slice(0..<length).isUTF8 else { return }
    for row in 0..<count {
      let position = Int(unsafeRows[row].offset)..<Int(unsafeRows[row].offset + unsafeRows[row].length)
      if !text.slice(position).isUTF8 { unsafeRows[row].status = Status.invalidUTF8.rawValue }
    }
  }

  /// Fills in the fields that are no columns by themselves, and marks the rows that are left out.
  func complete(by plan: ColumnPlan, _ skipped: SkippedRows) {
    plan.beginBatch()
    for row in 0..<count where isSound(row) {
      let fields = fields(of: row)
      plan.complete(fields)
      guard let reason = skipped.reason(fields) else { continue }
      unsafeRows[row].status = Status.skipped.rawValue
      details[row] = reason
    }
  }

  /// Lets `body` write rows and fields, of which there is room for `capacity`, and return how many rows it wrote.
  func fill(_ body: (UnsafeMutablePointer<ol_row>, UnsafeMutablePointer<ol_field>) -> Int) {
    count = body(unsafeRows, unsafeFields)
  }

  // MARK: - Reading

  /// The fields of one row.
  @inline(__always)
  package func fields(of row: Int) -> Fields {
    precondition(UInt(bitPattern: row) < UInt(bitPattern: count))
    return Fields(start: unsafeFields + row * width, count: width)
  }

  /// The row could be read.
  @inline(__always)
  func isSound(_ row: Int) -> Bool { self[row].status == Status.sound.rawValue }

  /// Line of a row's first byte, from 1.
  package func line(of row: Int) -> Int { firstLine + Int(self[row].line) }

  /// Offset of a row's first byte in the unpacked file.
  package func byteOffset(of row: Int) -> Int64 { byteOffset + Int64(self[row].offset) }

  /// Where a row stands in its file.
  func position(of row: Int) -> RowPosition { RowPosition(byteOffset: Int(byteOffset(of: row)), line: line(of: row)) }

  /// All bytes of a row, without its line end. A row of a numbered batch has no text: its fields are joined by commas.
  func bytes(of row: Int) -> [UInt8] {
    if isNumbered {
      let fields = fields(of: row)
      return Array(
        (0..<width).filter { !fields[$0].isMissing }.map { Array(fields[$0].bytes) }.joined(separator: [0x2c]))
    }
    let start = Int(self[row].offset)
    return Array(text.slice(start..<start + Int(self[row].length)))
  }

  /// A row's first bytes, for `rejects`.
  private func excerpt(of row: Int) -> [UInt8] {
    if isNumbered { return Array(bytes(of: row).prefix(Reject.excerptLength)) }
    let start = Int(self[row].offset)
    return Array(text.slice(start..<start + min(Int(self[row].length), Reject.excerptLength)))
  }

  private subscript(row: Int) -> ol_row {
    @inline(__always) get {
      precondition(UInt(bitPattern: row) < UInt(bitPattern: count))
      return unsafeRows[row]
    }
  }

  /// The reject a row becomes.
  package func reject(_ row: Int, _ reason: SetAsideReason, _ detail: String) -> Reject {
    Reject(
      account: 0, line: line(of: row), byteOffset: byteOffset(of: row), reason: reason, detail: detail,
      excerpt: excerpt(of: row))
  }

  /// Why the format could not read a row; nil where it could.
  package func fault(of row: Int) -> Reject? {
    switch Status(rawValue: self[row].status) {
    case .sound: nil
    case .invalidUTF8:
      reject(
        row, .invalidUTF8,
        details[row]
          ?? "the line is not UTF-8; if all of the file is in another encoding write it anew, iconv -f CP1252 -t UTF-8")
    case .tooLong: reject(row, .lineTooLong, "the line is longer than \(longestLine) bytes")
    case .skipped: reject(row, .skipped, details[row] ?? "")
    case .malformed, nil:
      reject(row, .malformed, details[row] ?? "the line is not exactly one valid JSON object")
    }
  }
}

/// The longest row that is read, in bytes.
let longestLine = 1 << 20
