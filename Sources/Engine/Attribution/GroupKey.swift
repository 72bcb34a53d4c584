/// One group of one offering, by the numbers of their names.
struct GroupKey: Sendable, Codable, Hashable, BitwiseCopyable {
  var offering: UInt32
  var group: UInt32
}

extension GroupKey {
  init(_ membership: Membership) {
    self.init(offering: membership.offering, group: membership.group)
  }
}
