/// One partition's events, those of one user side by side.
struct UserEvents {
  private var events: [EventRecord] = []
  private var starts: [Int]

  /// Sorts by user through counting: two passes, no comparisons.
  init(_ chunks: [EventChunks], partition: Int, userCount: Int) {
    starts = [Int](repeating: 0, count: userCount + 2)
    for chunk in chunks { chunk.forEach(partition) { starts[Int($0.user) + 2] += 1 } }
    for user in 0..<userCount { starts[user + 2] += starts[user + 1] }
    let total = starts[userCount + 1]
    events = [EventRecord](unsafeUninitializedCapacity: total) { buffer, count in
      for chunk in chunks {
        chunk.forEach(partition) { event in
          let place = starts[Int(event.user) + 1]
          starts[Int(event.user) + 1] = place + 1
          buffer.initializeElement(at: place, to: copy event)
        }
      }
      count = total
    }
    for chunk in chunks { chunk.release(partition) }
  }

  func ofUser(_ user: Int) -> ArraySlice<EventRecord> { events[starts[user]..<starts[user + 1]] }
}
