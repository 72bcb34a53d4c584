/// Numbers of which some are one.
///
/// Source: union by linking to the lower root, with path halving (Tarjan & van Leeuwen 1984, "Worst-case analysis of set
/// union algorithms").
struct JoinedNumbers {
  /// For each number one that it is one with, itself for a root; numbers beyond are their own.
  private var parents: [UInt32] = []

  /// Two numbers are one from now on.
  mutating func join(_ number: Int, _ other: Int) {
    while parents.count <= max(number, other) { parents.append(UInt32(parents.count)) }
    let (one, two) = (root(number), root(other))
    if one != two { parents[max(one, two)] = UInt32(min(one, two)) }
  }

  /// The number that stands for all that are one with `number`.
  mutating func root(_ number: Int) -> Int {
    guard number < parents.count else { return number }
    var number = number
    while parents[number] != UInt32(number) {
      parents[number] = parents[Int(parents[number])]
      number = Int(parents[number])
    }
    return number
  }

  /// Calls `body` with every number that is no root, and its root.
  func forEachPair(_ body: (_ number: Int, _ root: Int) -> Void) {
    for number in parents.indices where parents[number] != UInt32(number) {
      var root = Int(parents[number])
      while parents[root] != UInt32(root) { root = Int(parents[root]) }
      body(number, root)
    }
  }
}
