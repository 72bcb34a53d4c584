/// Records in chunks that are filled once and never moved: millions are appended without one being copied again.
///
/// For one thread at a time.
final class ChunkList<Record: BitwiseCopyable>: @unchecked Sendable {
  private var chunks: [UnsafeMutablePointer<Record>] = []
  private(set) var count = 0
  /// The count when the last file was finished.
  private var finished = 0
  private let chunkSize: Int

  /// - Parameter chunkSize: how many records memory is taken for at once.
  init(chunkSize: Int) {
    self.chunkSize = chunkSize
  }

  deinit { release() }

  @inline(__always)
  func append(_ record: Record) {
    let place = count % chunkSize
    if place == 0, count / chunkSize == chunks.count { chunks.append(.allocate(capacity: chunkSize)) }
    chunks[count / chunkSize][place] = record
    count += 1
  }

  /// The records so far will stay.
  func finishFile() { finished = count }
  /// Forgets what came since the last finished file.
  func abandonFile() { count = finished }

  @inline(__always)
  func forEach(_ body: (borrowing Record) -> Void) {
    var remaining = count
    for chunk in chunks {
      for place in 0..<min(remaining, chunkSize) { body(chunk[place]) }
      remaining -= min(remaining, chunkSize)
    }
  }

  /// Gives the memory back.
  func release() {
    chunks.forEach { $0.deallocate() }
    chunks = []
    count = 0
    finished = 0
  }
}

extension Array where Element: BitwiseCopyable {
  /// Puts the records of all lists into an array where `place` says; every place is taken exactly once.
  init(
    scattering lists: [ChunkList<Element>], count total: Int, to place: (borrowing Element) -> Int
  ) {
    self.init(unsafeUninitializedCapacity: total) { buffer, count in
      for list in lists {
        list.forEach { record in
          let place = place(record)
          precondition(place < total)
          buffer.initializeElement(at: place, to: copy record)
        }
      }
      count = total
    }
  }
}
