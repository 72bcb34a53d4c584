import CJSON

/// Picks members by name out of JSON objects that stand as text in a column, one at a time.
final class JSONTextReader {
  private let reader: JSONReader
  private let unsafeFields: UnsafeMutableBufferPointer<ol_field>

  /// - Parameter names: members' names; a path where they are nested.
  init(names: [String]) {
    reader = JSONReader(names: names)
    unsafeFields = .allocate(capacity: names.count)
  }

  deinit { unsafeFields.deallocate() }

  /// The members of an object; nil where the text is not exactly that.
  ///
  /// The text is of a batch or a `TextArena`. The fields are those of the last text read; what they point at lives until
  /// `forget`.
  func read(_ text: Text) -> Fields? {
    guard let start = unsafeFields.baseAddress, reader.readObject(text, into: start) else { return nil }
    return Fields(start: start, count: unsafeFields.count)
  }

  /// Gives back what the texts read so far took.
  func forget() { reader.forget() }
}
