/// Room for events whose users are yet to be found, used again for every few of them.
///
/// A plain occurrence waits beside its user in the 24 bytes that are kept of it; any other kind waits whole. For one
/// thread at a time.
final class WaitingEvents: @unchecked Sendable {
  private let usersRoom: RecordBuffer<User>
  private let othersRoom: RecordBuffer<RecordedEvent>
  /// By place who is waited for.
  let users: RecordSpan<User>
  /// By place the event, where it is no plain occurrence.
  let others: RecordSpan<RecordedEvent>

  /// A user to be found, and the occurrence that waits for it.
  struct User: BitwiseCopyable {
    var id: Text
    var hash: UInt64
    private var record: PlainOccurrence

    /// The number of what a plain occurrence has in common with others, where another kind waits.
    private static var noNumber: UInt32 { .max }

    @inline(__always)
    init(id: Text, hash: UInt64, plain: PlainOccurrence?) {
      self.id = id
      self.hash = hash
      record = plain ?? PlainOccurrence(time: 0, key: 0, user: 0, common: Self.noNumber)
    }

    /// The occurrence that waits; nil where another kind does.
    var plain: PlainOccurrence? {
      @inline(__always) get { record.common == Self.noNumber ? nil : record }
    }
  }

  /// - Parameter room: how many events may wait.
  init(room: Int) {
    usersRoom = RecordBuffer(room: room)
    othersRoom = RecordBuffer(room: room)
    users = usersRoom.span
    others = othersRoom.span
  }
}
