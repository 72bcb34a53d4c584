import Analysis

extension Call {
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
