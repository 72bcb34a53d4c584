import Analysis

extension Call {
  /// Of several the one that is to be seen first: what is wrong, then what is to be done, then what is open.
  static func foremost(of calls: some Collection<Call>) -> Call? { calls.min { rank(of: $0) < rank(of: $1) } }

  /// From 0, the one that is to be seen first.
  static func rank(of call: Call) -> Int { order.firstIndex(of: call) ?? order.count }

  private static let order: [Call] = [.doNotTrust, .ship, .choose, .measure, .drop, .wait, .keep]

  /// A call by its name; nights of versions that wrote sentences in its place have that of their decision.
  init(named name: String, decision: Decision) {
    self =
      Call(rawValue: name)
      ?? {
        switch decision {
        case .doNotTrust: .doNotTrust
        case .better: .ship
        case .worse: .drop
        case .maybeWorse: .choose
        case .tooEarly: .wait
        case .equivalent, .notWorse, .inconclusive: .keep
        }
      }()
  }

  /// `do not trust`.
  var words: String { StoryWords.plain(rawValue) }
}
