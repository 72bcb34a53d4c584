import Domain

/// What an assignment row says, when its batch is gone.
struct CapturedAssignment: @unchecked Sendable {
  /// Without the text of its user.
  private var row: AssignmentRow
  private let user: [UInt8]

  init(_ row: AssignmentRow) {
    user = Array(row.user)
    self.row = row
    self.row.user = .empty
  }

  /// Calls `body` with the row, as one of that file.
  func withRow<Result>(ofFile number: UInt32, _ body: (AssignmentRow) -> Result) -> Result {
    user.withText { user in
      var row = row
      (row.user, row.file) = (user, number)
      return body(row)
    }
  }
}

/// Why a row does not count.
struct RowRefusal: Sendable {
  var reason: SetAsideReason
  var detail: String
}
