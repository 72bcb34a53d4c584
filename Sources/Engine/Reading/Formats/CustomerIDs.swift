/// The fields of a customer's two ids, of which a job may let any name the user: the other is an alias of it all the
/// same.
struct CustomerIDs {
  /// The field that names the user unless the job says otherwise.
  let usual: String
  /// The other field of an id.
  let other: String

  /// What stands for a third id among the fields that are read: no file has such a field, until the job lets yet another
  /// name the user.
  static let third = "the usual id"

  /// What the file calls the fields.
  ///
  /// - Parameter field: the one that the job lets name the user; nil is the usual one.
  func renamed(user field: String?) -> [String: String] {
    switch field {
    case nil: [:]
    case usual: [:]
    case other: [usual: other, other: usual]
    case .some(let field): [usual: field, Self.third: usual]
    }
  }
}
