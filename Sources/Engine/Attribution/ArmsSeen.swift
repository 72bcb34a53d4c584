import Domain

/// The groups of offerings that rows name, whatever becomes of the rows: what there is, apart from who counts.
package struct ArmsSeen: Sendable {
  /// An offering's number and a group's, packed.
  private(set) var arms: Set<UInt64> = []
  /// Arms seen of late, each in the place that its numbers make: nearly every row names one of them.
  private var recent = [UInt64](repeating: .max, count: 64)

  /// Takes one row's.
  @inline(__always)
  mutating func see(offering: UInt32, group: UInt32) {
    let arm = UInt64(offering) << 32 | UInt64(group)
    let place = Int((offering &* 7 &+ group) & 63)
    guard recent[place] != arm else { return }
    recent[place] = arm
    arms.insert(arm)
  }

  package mutating func merge(_ other: ArmsSeen) { arms.formUnion(other.arms) }

  /// The groups of each offering, by name.
  package func groups(_ names: EventNames) -> [Identifier: Set<Identifier>] {
    let (offerings, groups) = (names.offerings.names, names.groups.names)
    return arms.reduce(into: [:]) { found, arm in
      found[offerings[Int(arm >> 32)], default: []].insert(groups[Int(arm & 0xffff_ffff)])
    }
  }
}
