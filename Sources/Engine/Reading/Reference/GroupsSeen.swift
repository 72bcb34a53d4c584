import Domain

/// The groups of offerings that rows name, whatever becomes of the rows: what there is, apart from who counts.
package struct GroupsSeen: Sendable {
  package init() {}

  /// An offering's number and a group's, packed.
  private var packed: Set<UInt64> = []
  /// Those seen of late, each in the place that its numbers make: nearly every row names one of them.
  private var recent = [UInt64](repeating: .max, count: 64)

  /// Takes what one row names.
  @inline(__always)
  package mutating func see(offering: UInt32, group: UInt32) {
    let both = UInt64(offering) << 32 | UInt64(group)
    let position = Int((offering &* 7 &+ group) & 63)
    guard recent[position] != both else { return }
    recent[position] = both
    packed.insert(both)
  }

  /// Takes groups by name.
  mutating func see(_ groups: [Identifier: Set<Identifier>], _ names: EventNames) {
    for (offering, groups) in groups {
      let code = names.offerings.code(offering)
      for group in groups { see(offering: code, group: names.groups.code(group)) }
    }
  }

  package mutating func merge(_ other: GroupsSeen) { packed.formUnion(other.packed) }

  /// The groups of each offering, by name.
  package func groups(_ names: EventNames) -> [Identifier: Set<Identifier>] {
    let (offerings, groups) = (names.offerings.names, names.groups.names)
    return packed.reduce(into: [:]) { found, both in
      found[offerings[Int(both >> 32)], default: []].insert(groups[Int(both & 0xffff_ffff)])
    }
  }
}
