import Platform
import Synchronization

/// One file that several tasks may read together: each in turn has the file's next chunk unpacked, cuts it behind its
/// last whole row, and takes its rows apart while another has the chunk behind it unpacked.
///
/// The task that opens the file reads it alone, as cheaply as a file that is not shared, until another task asks to join;
/// then it hands over the unread rest, from which both go on. A task that has joined stays until the last row: only the
/// end of a file shows whether it is damaged, and then all tasks must discard what they read of it.
final class FileShare: @unchecked Sendable {
  /// How many bytes are unpacked at once; of a row that is longer, as many more as it takes.
  let chunk: Int
  /// Another task waits for the file to be put down.
  let isWanted = Atomic<Bool>(false)
  /// Is told who may join.
  private let allow: @Sendable (Access) -> Void
  /// The file's size, as it lies on the disk, and how much of that has been unpacked.
  private let bytes: Int64
  private let bytesConsumed = Atomic<Int64>(0)

  /// Held by whoever unpacks; guards what follows.
  private let unpacking = Mutex<Void>(())
  private var rest = ByteWindow.Rest()
  /// How many chunks have been handed out since the file was put down.
  private var chunks = 0
  /// Why nobody reads on: what the earliest chunk that failed has come to.
  private var failure: (chunk: Int, why: any Error)?

  // Set by the task that begins the file, before others join.
  private(set) var source: ByteSource?
  private var format: (any RecordFormat)?
  /// The names of the file's columns or members.
  private(set) var names: [String] = []
  /// Where rows are found by parts of the file, those parts: no chunks are handed out then.
  private(set) var parts: FileParts?
  /// Is told what came of the file, once all who read it have left.
  var whenSettled: ((FileReading) -> Void)?

  /// Who may read a file that a task has begun.
  enum Access: Sendable {
    /// The task reads it, and puts it down where another wants it.
    case alone
    /// Others may join.
    case open
    /// Nobody may join: one task must read all of it.
    case closed
  }

  /// - Parameters:
  ///   - bytes: the file's size.
  ///   - allow: is told who may join, whenever that changes.
  init(chunk: Int, bytes: Int64, allow: @escaping @Sendable (Access) -> Void) {
    self.chunk = chunk
    self.bytes = bytes
    self.allow = allow
  }

  /// How much of the file is left to unpack: more than a chunk, so that joining is worth it, or 0.
  var bytesLeft: Int64 {
    if let parts { return Int64(Double(bytes) * parts.shareLeft) }
    let left = bytes - bytesConsumed.load(ordering: .relaxed)
    // Logs are packed to a fifth and less.
    return left * 4 > chunk ? left : 0
  }

  // MARK: - For the task that begins the file

  /// The file is one that others may join.
  func begin() { allow(.alone) }

  /// Notes how far the file has been unpacked.
  func note(_ source: ByteSource) { bytesConsumed.store(source.bytesConsumed, ordering: .relaxed) }

  /// Puts down what has not been read, so that others can join.
  ///
  /// - Parameter format: has seen the file's beginning.
  /// - Returns: whether others may; some formats want one reader.
  func putDown(_ window: inout ByteWindow, of source: ByteSource, as format: some RecordFormat, names: [String]) -> Bool
  {
    guard format.isShareable else {
      isWanted.store(false, ordering: .relaxed)
      allow(.closed)
      return false
    }
    self.source = source
    self.format = format
    self.names = names
    rest = window.cut(at: 0)
    allow(.open)
    return true
  }

  /// Lets others read the file by its parts; one that has no more than one is kept.
  func open(_ parts: FileParts, count: Int) {
    guard count > 1 else { return allow(.closed) }
    self.parts = parts
    allow(.open)
  }

  // MARK: - For those that join

  /// Lets a format know what the file's beginning has told.
  func teach<Format: RecordFormat>(_ format: inout Format) {
    if let other = self.format as? Format { format.goOn(from: other) }
  }

  // MARK: - For all

  /// Fills a window with the file's next whole rows, and returns the chunk's number; nil where there are no more.
  ///
  /// - Parameter tooLong: takes rows too long to be held.
  /// - Throws: what unpacking throws, and what other tasks have failed with.
  func next(
    into window: inout ByteWindow, as format: some RecordFormat, tooLong: (Reject) -> Void
  ) throws -> Int? {
    try unpacking.withLock { _ in
      if let failure { throw failure.why }
      guard !rest.isAtEnd else { return nil }
      chunks += 1
      do {
        try fill(&window, format, tooLong)
      } catch {
        failure = (chunks, error)
        throw error
      }
      return chunks
    }
  }

  private func fill(
    _ window: inout ByteWindow, _ format: some RecordFormat, _ tooLong: (Reject) -> Void
  ) throws {
    window.accept(rest)
    var format = format
    var end = 0
    repeat {
      if window.isFull {
        try format.look(atLongRow: window.text, line: window.line)
        tooLong(try window.skipRow(endingWith: format.rowEnd))
      } else {
        try window.fill(with: chunk)
      }
      end = window.isAtEnd ? window.text.count : format.endOfRows(in: window.text)
    } while end == 0 && !window.isAtEnd
    rest = window.cut(at: end)
    if let source { note(source) }
  }

  /// The rows of a chunk have come to an error: nobody need read on.
  func fail(_ chunk: Int, _ why: any Error) {
    unpacking.withLock { _ in
      if failure.map({ chunk < $0.chunk }) ?? true { failure = (chunk, why) }
    }
  }

  /// What the earliest rows that failed have failed with; nil where they did not, but the file is damaged or all is
  /// well.
  var failureOfRows: (any Error)? {
    unpacking.withLock { _ in failure.flatMap { $0.why is CorruptFile ? nil : $0.why } }
  }
}

/// How a task takes part in reading a file.
struct FileSlot: Sendable {
  let share: FileShare
  /// Others have begun the file.
  let joins: Bool
}
