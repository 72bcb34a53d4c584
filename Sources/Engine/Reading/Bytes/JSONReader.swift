import CJSON
import Foundation

/// A reader, set up to pick the members of these names out of JSON objects.
final class JSONReader {
  private let unsafeReader: OpaquePointer

  /// Stands between the names of a path to a nested member.
  static let pathSeparator = Character(UnicodeScalar(UInt8(ol_path_separator)))

  /// - Parameter names: members' names; a path where they are nested.
  init(names: [String]) {
    let copies = names.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    let pointers = copies.map { UnsafePointer($0) }
    guard let reader = ol_json_reader_create(pointers, names.count, longestLine) else {
      fatalError("there is no memory for one line")
    }
    unsafeReader = reader
  }

  deinit { ol_json_reader_destroy(unsafeReader) }

  /// Reads objects into `batch`, one a line or several, and returns how many bytes and line ends they and the blank lines
  /// took.
  ///
  /// The text is of a `ByteWindow`, and ends with a line's end, the file's, or that of an object.
  func readLines(_ text: Text, into batch: RecordBatch) -> (bytes: Int, lines: Int) {
    var consumed = 0
    var lines = 0
    batch.fill { rows, fields in
      ol_json_reader_read(
        unsafeReader, text.unsafeBytes.baseAddress, text.count, rows, fields, batch.capacity, &consumed, &lines)
    }
    return (consumed, lines)
  }

  /// Reads one object into `fields`, which are as many as the names; false where the text is not exactly that.
  ///
  /// The text is of a batch or a `TextArena`. What the fields point at lives until `forget`.
  func readObject(_ text: Text, into fields: UnsafeMutablePointer<ol_field>) -> Bool {
    guard let start = text.unsafeBytes.baseAddress, !text.isEmpty else { return false }
    return ol_json_reader_read_text(unsafeReader, start, text.count, fields) == UInt32(ol_row_ok)
  }

  /// Where the last object begins of those that a text begins with, by their brackets alone, if all before it are whole; 0
  /// where there is but one.
  static func lengthOfObjects(_ text: Text) -> Int {
    text.unsafeBytes.baseAddress.map { ol_json_objects_length($0, text.count) } ?? 0
  }

  /// Gives back what fields of objects read so far point at.
  func forget() { ol_json_reader_forget(unsafeReader) }
}

/// The members of a JSON object that a format knows, in the order they are read.
protocol JSONMember: CaseIterable, RawRepresentable<Int> {
  var source: SourceField { get }
}

/// Reads JSON objects that lie in memory, one at a time, each exactly as a line of a log is read.
final class JSONObjectReader<Member: JSONMember> {
  private let reader: JSONReader
  private let unsafeFields: UnsafeMutableBufferPointer<ol_field>

  /// - Parameter others: names of members to be read behind the known ones.
  init(and others: [String] = []) {
    let names = Member.allCases.map(\.source.name) + others
    reader = JSONReader(names: names)
    unsafeFields = .allocate(capacity: names.count)
  }

  deinit { unsafeFields.deallocate() }

  /// Reads one object; nil where the text is not exactly that.
  ///
  /// The text is of a batch or a `TextArena`. The object's members are those of the last text read; what they point at
  /// lives until `forget`.
  func read(_ text: Text) -> Record<Member>? {
    guard let start = unsafeFields.baseAddress, reader.readObject(text, into: start) else { return nil }
    return Record(Fields(start: start, count: unsafeFields.count))
  }

  /// Gives back what the texts read so far took.
  func forget() { reader.forget() }
}
