/// Records in chunks that are filled once and never moved: millions are appended without one being copied again.
///
/// For one thread at a time.
final class ChunkList<Record: BitwiseCopyable>: @unchecked Sendable {
  private var chunks: [UnsafeMutablePointer<Record>] = []
  /// Where the next record goes, and how many go there before another chunk is needed.
  private var next: UnsafeMutablePointer<Record>?
  private var room = 0
  /// How many chunks have begun, the one that is being filled among them.
  private var begun = 0
  /// The count when the last file was finished.
  private var finished = 0
  private let chunkSize: Int

  /// - Parameter chunkSize: how many records memory is taken for at once.
  init(chunkSize: Int) {
    self.chunkSize = chunkSize
  }

  deinit { release() }

  var count: Int { begun * chunkSize - room }

  @inline(__always)
  func append(_ record: Record) {
    if room == 0 { beginChunk() }
    guard let place = next else { return }
    place.initialize(to: record)
    next = place + 1
    room -= 1
  }

  private func beginChunk() {
    if begun == chunks.count { chunks.append(.allocate(capacity: chunkSize)) }
    next = chunks[begun]
    begun += 1
    room = chunkSize
  }

  /// The records so far will stay.
  func finishFile() { finished = count }

  /// Forgets what came since the last finished file.
  func abandonFile() {
    begun = (finished + chunkSize - 1) / chunkSize
    room = begun * chunkSize - finished
    next = begun == 0 ? nil : chunks[begun - 1] + (chunkSize - room)
  }

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
    (next, room, begun, finished) = (nil, 0, 0, 0)
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

extension Array where Element: BitwiseCopyable {
  /// The same of lists some of which hold their records packed; `unpack` is told the number of the list.
  init<Packed>(
    scattering lists: [ChunkList<Element>], and packed: [ChunkList<Packed>],
    unpacking unpack: (Int, borrowing Packed) -> Element, count total: Int, to place: (borrowing Element) -> Int
  ) {
    self.init(unsafeUninitializedCapacity: total) { buffer, count in
      func put(_ record: borrowing Element) {
        let place = place(record)
        precondition(place < total)
        buffer.initializeElement(at: place, to: copy record)
      }
      for list in lists { list.forEach { put($0) } }
      for (number, list) in packed.enumerated() { list.forEach { put(unpack(number, $0)) } }
      count = total
    }
  }
}
