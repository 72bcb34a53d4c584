/// Who was put into which group, and when.
struct AssignmentRow {
  /// The user's id, which lives as long as the bytes it was read from.
  var user: Text
  /// Numbers of the offering and the group.
  var offering: UInt32
  var group: UInt32
  /// When, in milliseconds since 1970.
  var time: Int64
  /// Index of the file it was read from.
  var file: UInt32
  /// Numbers of its attributes' values, `Interner.none` for none.
  var values: [UInt32]
}
