import Testing

@testable import Domain

/// Tests of what is believed of signed notifications.
protocol SignedNotification {}

extension SignedNotification {
  static var sold: StoreNotification { StoreNotification("SUBSCRIBED", "INITIAL_BUY") }

  /// Why a line is not believed; nil where it is.
  func doubt(_ line: String, _ store: SignedStore, options: String = "", root: String? = nil) throws -> String? {
    let log = try store.read([line], options: options, root: root)
    #expect(log.reading.account.isBalanced)
    if log.reading.rejects.isEmpty {
      #expect(log.events.map(\.micros) == [9_990_000])
      return nil
    }
    #expect(log.events.isEmpty)
    #expect(log.reading.rejects.all.map(\.reason) == [.unverified])
    return log.reading.rejects.all.first?.detail
  }

  /// What a line is told to be by an authority of which one thing is wrong.
  func doubt(
    _ notification: StoreNotification = Self.sold, _ change: (inout StoreAuthority) -> Void
  ) throws -> String? {
    var authority = StoreAuthority()
    change(&authority)
    let store = try SignedStore(authority)
    return try doubt(store.line(notification), store)
  }
}
