import Jobs

/// The attributes that an assignment table's rows are read for, and the names of their values.
struct AssignmentAttributes {
  /// Those that the roster carries, in its order; behind them those that no metric is split by: the job names them, and
  /// a name that is no column is a slip all the same.
  let names: [String]
  /// By attribute.
  let values: [Interner]
  /// Places in `names`, in order of the names: in that order they are kept for later runs, whatever splits those by.
  let byName: [Int]

  init(_ input: TableInput, _ roster: Roster) {
    let bound = Set(roster.attributes + AssignmentTable.keyFields.map { input.columns[$0] ?? $0 })
    let others = Set(input.attributes).subtracting(bound).sorted()
    let names = roster.attributes + others
    self.names = names
    values = roster.values + others.map { _ in Interner() }
    byName = names.indices.sorted { names[$0] < names[$1] }
  }
}
