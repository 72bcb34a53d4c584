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

  /// Counts a user by what happened.
  mutating func count(_ user: UserHistory, offeringServed: EventType?) {
    let isViewed = user.happened.mayHold(.paywallView) && user.events.contains { $0.type == .paywallView }
    let isServed =
      offeringServed.map { type in user.happened.mayHold(type) && user.events.contains { $0.type == type } } ?? false
    if isViewed { viewed += 1 }
    if isServed { served += 1 }
    if isViewed || isServed { any += 1 }
  }

  package mutating func merge(_ other: ShownUsers) {
    any += other.any
    viewed += other.viewed
    served += other.served
  }
}
