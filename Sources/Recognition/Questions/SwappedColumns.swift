import Domain
import Jobs

/// Columns of offerings and groups that a job seems to have the wrong way round: each test would have one group.
package struct SwappedColumns {
  /// What there is, and what to write where they are swapped.
  package let sentence: String

  /// Nil where the table has no two such columns, or they look right: some offering has two groups, and none is called as
  /// a baseline is.
  package init?(_ sample: FileSample, _ input: TableInput) {
    let bound = sample.bound(by: input, ["offering", "group"])
    guard let offering = bound["offering"], let group = bound["group"] else { return nil }
    let pairs = zip(sample.column(offering), sample.column(group)).compactMap { pair in
      pair.0.flatMap { offering in pair.1.map { [offering, $0] } }
    }
    let groups = Dictionary(grouping: Set(pairs)) { $0[0] }.mapValues(\.count)
    let (offerings, names) = (Set(pairs.map { $0[0] }), Set(pairs.map { $0[1] }))
    guard offerings.count > 1 else { return nil }
    let isNamedSo = Self.isBaseline(among: offerings) && !Self.isBaseline(among: names)
    guard isNamedSo || names.count == 1 && groups.values.allSatisfy({ $0 == 1 }) else { return nil }
    sentence =
      "\(sample.file): by this job \"\(offering)\" is the offering (\(Self.shown(offerings))) and \"\(group)\" the group "
      + "(\(Self.shown(names))). If they are swapped, write columns: {offering: \(group), group: \(offering)}."
  }

  /// Whether one of several is called as the group is that others are compared with.
  private static func isBaseline(among names: Set<String>) -> Bool {
    names.count > 1 && (BaselineGuess.baseline(among: names.sorted()).map { $0.sureness != .guess } ?? false)
  }

  private static func shown(_ names: Set<String>) -> String { Phrase.list(names.sorted(), most: 4) }
}
