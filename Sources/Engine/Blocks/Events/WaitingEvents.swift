/// Room for events whose users are yet to be found, used again for every few of them. For one thread at a time.
final class WaitingEvents: @unchecked Sendable {
  private let usersRoom: RecordBuffer<User>
  private let rowsRoom: RecordBuffer<WholeRow>
  /// By place who is waited for.
  let users: RecordSpan<User>
  /// By place the event.
  let rows: RecordSpan<WholeRow>

  /// A user to be found.
  struct User: BitwiseCopyable {
    var id: Text
    var hash: UInt64
  }

  /// - Parameter room: how many events may wait.
  init(room: Int) {
    usersRoom = RecordBuffer(room: room)
    rowsRoom = RecordBuffer(room: room)
    users = usersRoom.span
    rows = rowsRoom.span
  }
}
