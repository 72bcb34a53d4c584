import Domain

/// Orders among the ids of users: an order is whose it is by whatever row tells that first, and its number, `1001`, may
/// be a user's, too.
enum OrderID {
  private static let prefix: StaticString = "order "

  /// The order's id among those of users.
  static func id(of order: Text, in arena: TextArena) -> Text {
    arena.copy(prefix.withUTF8Buffer(Array.init) + order)
  }

  static func isOrder(_ id: Text) -> Bool { prefix.withUTF8Buffer { id.starts(with: $0) } }

  /// The order as rows name it; nil where the id is a user's.
  static func order(of id: Identifier) -> Identifier? {
    id.utf8.withText { isOrder($0) ? Identifier($0.slice(prefix.utf8CodeUnitCount..<$0.count)) : nil }
  }
}
