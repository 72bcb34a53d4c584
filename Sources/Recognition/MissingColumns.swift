import Domain
import Engine

/// Fields that a file must tell, where no column of it looks like one.
struct MissingColumns {
  private(set) var fields: [String] = []
  private(set) var sentences: [String] = []

  /// Adds what one file lacks, of the fields it must have.
  mutating func add(_ roles: [ColumnRole], in columns: ColumnGuess) {
    let missing = roles.filter { columns.found[$0.field] == nil }
    guard !missing.isEmpty else { return }
    let sample = columns.sample
    let names = sample.names.prefix(20).map { "\"\(UserIDShape.name($0))\"" }.joined(separator: ", ")
    let what = missing.map { Self.words[$0.field] ?? $0.field }.joined(separator: ", or like ")
    sentences.append("\(sample.file): no column looks like \(what); its columns are \(names).")
    if missing.contains(where: { $0.names == ColumnRole.user.names }), let spoilt = CorruptedIDs(sample).remedy() {
      sentences.append("\(spoilt).")
    }
    fields += missing.map(\.field)
  }

  /// What to say of all that is missing; the last sentence is what to type.
  var problems: [String] {
    guard !fields.isEmpty else { return sentences }
    let unique = fields.enumerated().filter { fields.firstIndex(of: $1) == $0 }.map(\.element)
    let options = unique.map { "--column \($0)=NAME" }.joined(separator: " ")
    return sentences + ["Say which \(unique.count == 1 ? "one it is" : "ones they are"): \(options)"]
  }

  private static let words = [
    ColumnRole.user.field: "the user", ColumnRole.group.field: "the group",
    ColumnRole.assignedAt.field: "the time of the assignment", ColumnRole.userID.field: "the user",
    ColumnRole.occurredAt.field: "the time of the purchase", ColumnRole.price.field: "the price",
  ]
}
