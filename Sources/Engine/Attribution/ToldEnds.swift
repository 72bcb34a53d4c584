/// What the log tells of the ends of trials and of one-time access, by product.
struct ToldEnds {
  /// By product, `Interner.none` for those that name none.
  private var expiries: [UInt32: Int64] = [:]
  private var extensions: [UInt32: Extension] = [:]

  private struct Extension {
    var time: Int64
    var end: Int64
  }

  /// Of several extensions of a product the latest counts, and of several expiries.
  init(_ user: UserHistory) {
    guard user.happened.mayHold(anyOf: .ends) else { return }
    for event in user.events {
      if event.type == .expire { expiries[event.product] = event.time }
      guard event.type == .extend, let end = event.end else { continue }
      let known = extensions[event.product]
      let isTie = known?.time == event.time
      extensions[event.product] = Extension(time: event.time, end: isTie ? max(end, known?.end ?? end) : end)
    }
  }

  /// When what began with a product ends: where it was extended to, else when it usually would, and at its expiry.
  ///
  /// - Parameter takesUnnamed: events that name no product concern it, too.
  func end(of product: UInt32, from start: Int64, usual: Int64, takesUnnamed: Bool) -> Int64 {
    if expiries.isEmpty, extensions.isEmpty { return usual }
    let names = takesUnnamed && product != Interner.none ? [product, Interner.none] : [product]
    let expiry = names.compactMap { expiries[$0] }.filter { $0 >= start }.max()
    let extended = names.compactMap { extensions[$0] }.filter { $0.time >= start }.max { $0.time < $1.time }
    return min(extended?.end ?? usual, expiry ?? AccessTimeline.open)
  }
}
