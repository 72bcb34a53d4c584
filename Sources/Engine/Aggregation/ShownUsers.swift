import Measurement

extension ShownUsers {
  /// Counts a user by what happened.
  mutating func count(_ user: UserHistory, offeringServed: EventType?) {
    let isViewed = user.happened.mayHold(.paywallView) && user.events.contains { $0.type == .paywallView }
    let isServed =
      offeringServed.map { type in user.happened.mayHold(type) && user.events.contains { $0.type == type } } ?? false
    if isViewed { viewed += 1 }
    if isServed { served += 1 }
    if isViewed || isServed { any += 1 }
  }
}
