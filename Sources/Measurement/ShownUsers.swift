/// What measured users are known to have been shown before the cut-off.
package struct ShownUsers: Sendable, Codable, Equatable {
  /// Those to whom a paywall was shown, or an offering served.
  package var any = 0
  /// Those with a `paywall_view`.
  package var viewed = 0
  /// Those with an `offering_served`.
  package var served = 0

  package init(any: Int = 0, viewed: Int = 0, served: Int = 0) {
    self.any = any
    self.viewed = viewed
    self.served = served
  }

  package mutating func merge(_ other: ShownUsers) {
    any += other.any
    viewed += other.viewed
    served += other.served
  }
}
