import Domain
import Measurement

/// The ids of one user: the one asked for, and all that stand for the same user.
struct UserIDs: Sendable {
  /// The user that all of them lead to.
  let user: Identifier
  /// In order of bytes.
  let all: [Identifier]
  /// How they stand in files, but for orders: a number may be many things in other rows.
  let marks: UserMarks

  init(_ id: Identifier, _ identities: Identities) {
    let isUUID = id.utf8.withText(UUIDText.hasCapitals)
    let id = isUUID ? Identifier(utf8: UUIDText.folded(id.utf8)) : id
    user = id.utf8.withText { Identifier(identities.resolve($0)) }
    all = id.utf8.withText { identities.ids(standingFor: $0) }
    marks = UserMarks(all.filter { OrderID.order(of: $0) == nil })
  }

  func contains(_ id: Text) -> Bool {
    guard UUIDText.hasCapitals(id) else { return all.contains { $0.utf8.withText { $0 == id } } }
    let folded = UUIDText.folded(id)
    return all.contains { $0.utf8 == folded }
  }

  /// Whether a row names one of them, though it could not be read.
  func stand(in row: [UInt8]) -> Bool { marks.stand(in: row) }
}
