import Platform
import Synchronization

/// A file that is among an input's, whether or not a task has told of it.
package struct ListedFile: Sendable {
  package var name: String
  /// Number of its input, in the order of `Job.exchangedInputs`.
  package var input: Int
  /// In bytes; 0 where it is not read, and where nobody knows.
  package var size: Int64
  /// The file that is read in its place.
  package var sameAs: SameFile?

  package init(_ name: String, ofInput input: Int, size: Int64, sameAs: SameFile? = nil) {
    (self.name, self.input, self.size, self.sameAs) = (name, input, size, sameAs)
  }

  package init(_ file: InputFile, ofInput input: Int) {
    self.init(file.displayName, ofInput: input, size: file.size, sameAs: file.sameAs)
  }

  var key: String { ExchangedRun.key(ofInput: input, file: name) }

  /// What is in it where it has no row that would reach a task: nothing, or nothing but a byte order mark, which Spark's
  /// reader of lines takes away.
  func contentWithoutRows() -> any ByteFeed {
    FewBytes(size == Int64(Text.byteOrderMark.count) ? Text.byteOrderMark : [])
  }
}

/// A handful of bytes, handed on at once.
private final class FewBytes: ByteFeed {
  private let bytes: Mutex<[UInt8]>

  init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

  func next() -> [UInt8]? {
    bytes.withLock { bytes in
      defer { bytes = [] }
      return bytes.isEmpty ? nil : bytes
    }
  }
}
