/// Records in chunks that are filled once and never moved: millions are appended without one being copied again.
///
/// For one thread at a time.
final class ChunkList<Record: BitwiseCopyable>: @unchecked Sendable {
  private var chunks: [UnsafeMutablePointer<Record>] = []
  private let cursor: UnsafeMutablePointer<Cursor>
  /// How many chunks have begun, the one that is being filled among them.
  private var begun = 0
  /// The count when the last file was finished.
  private var finished = 0
  private let chunkSize: Int

  /// Where the next record goes, and how many go there before another chunk is needed.
  fileprivate struct Cursor {
    var next: UnsafeMutablePointer<Record>?
    var room = 0
    /// The list itself, whose next chunk is asked for.
    let list: Unmanaged<ChunkList>
  }

  /// - Parameter chunkSize: how many records memory is taken for at once.
  init(chunkSize: Int) {
    self.chunkSize = chunkSize
    cursor = .allocate(capacity: 1)
    cursor.initialize(to: Cursor(list: .passUnretained(self)))
  }

  deinit {
    release()
    cursor.deallocate()
  }

  var count: Int { begun * chunkSize - cursor.pointee.room }

  @inline(__always)
  func append(_ record: Record) { writer.append(record) }

  /// Appends to the list without counting references to it: of a run's processor time counting them took 4 %. Good while
  /// the list lives.
  struct Writer: BitwiseCopyable {
    fileprivate let cursor: UnsafeMutablePointer<Cursor>

    @inline(__always)
    func append(_ record: Record) {
      if cursor.pointee.room == 0 { beginChunk() }
      let position = cursor.pointee.next.unsafelyUnwrapped
      position.initialize(to: record)
      cursor.pointee.next = position + 1
      cursor.pointee.room &-= 1
    }

    @inline(never)
    private func beginChunk() { cursor.pointee.list._withUnsafeGuaranteedRef { $0.beginChunk() } }
  }

  var writer: Writer {
    @inline(__always) get { Writer(cursor: cursor) }
  }

  private func beginChunk() {
    if begun == chunks.count { chunks.append(.allocate(capacity: chunkSize)) }
    cursor.pointee.next = chunks[begun]
    cursor.pointee.room = chunkSize
    begun += 1
  }

  /// The records so far will stay.
  func finishFile() { finished = count }

  /// Forgets what came since the last finished file.
  func abandonFile() { shorten(to: finished) }

  private func shorten(to count: Int) {
    begun = (count + chunkSize - 1) / chunkSize
    let room = begun * chunkSize - count
    cursor.pointee.room = room
    cursor.pointee.next = begun == 0 ? nil : chunks[begun - 1] + (chunkSize - room)
  }

  @inline(__always)
  func forEach(_ body: (borrowing Record) -> Void) {
    var remaining = count
    for chunk in chunks {
      for position in 0..<min(remaining, chunkSize) { body(chunk[position]) }
      remaining -= min(remaining, chunkSize)
    }
  }

  /// Takes out the records for which `isWanted` holds, and returns them.
  func remove(where isWanted: (Record) -> Bool) -> [Record] {
    var removed: [Record] = []
    var retained = 0
    for number in 0..<count {
      let record = chunks[number / chunkSize][number % chunkSize]
      if isWanted(record) {
        removed.append(record)
      } else {
        chunks[retained / chunkSize][retained % chunkSize] = record
        retained += 1
      }
    }
    shorten(to: retained)
    finished = retained
    return removed
  }

  /// Gives the memory back.
  func release() {
    chunks.forEach { $0.deallocate() }
    chunks = []
    (begun, finished) = (0, 0)
    (cursor.pointee.next, cursor.pointee.room) = (nil, 0)
  }
}
