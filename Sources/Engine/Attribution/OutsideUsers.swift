/// Users in no offering, where the job asks what they buy: old clients, above all. Shared by all who read.
final class OutsideUsers: Sendable {
  let users = UserDirectory()
}

/// The events of such users that one thread has read.
struct OutsideEvents: Sendable {
  let users: OutsideUsers
  let chunks: EventChunks

  /// Keeps an event of a user who is in no offering.
  func append(_ event: PurchaseEvent, of user: Text) {
    let position = users.users.add(user)
    chunks.append(event, to: position.partition, user: position.user)
  }
}
