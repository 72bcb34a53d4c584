import Statistics

/// What reading a job file must know of a metric: how it is called and which keys it takes.
package struct MetricTerms: Sendable {
  /// As a job names it.
  package let name: String
  /// What a user contributes to it, in a few words: `paid more than 0`.
  package let meaning: String
  package let kind: MetricKind
  /// Of the same numerator over all users, which is decided in its place; nil where nothing is.
  package let kindPerUser: MetricKind?
  /// The numerator is money, in micros.
  package let isMoney: Bool
  /// It follows users from a start of their own to an end.
  package let isSurvival: Bool
  /// Without any charge it is 0 for everybody, or of nobody.
  package let isOfCharges: Bool
  /// Less of it is better, and it is of those who did something: never decided by itself.
  package let isCost: Bool
  /// A job may say a window; else the metric is of all that was before the cut-off, or of all that came after something.
  package let hasWindow: Bool
  /// What it takes from the catalog tables, so that a job without them is refused; nil where it takes nothing.
  package let catalogUse: String?
  /// The keys a job may give beside those every metric takes, in the order in which they are read.
  package let options: [any DeclaredOption]

  package init(
    name: String, meaning: String, kind: MetricKind, kindPerUser: MetricKind?, isMoney: Bool, isSurvival: Bool,
    isOfCharges: Bool = false, isCost: Bool = false, hasWindow: Bool,
    catalogUse: String?,
    options: [any DeclaredOption]
  ) {
    self.name = name
    self.meaning = meaning
    self.kind = kind
    self.kindPerUser = kindPerUser
    self.isMoney = isMoney
    self.isSurvival = isSurvival
    self.isOfCharges = isOfCharges
    self.isCost = isCost
    self.hasWindow = hasWindow
    self.catalogUse = catalogUse
    self.options = options
  }

  /// It is of those who did something.
  var isRatio: Bool { kind == .ratio || isSurvival }

  /// When a metric without a window is taken.
  var timeInWords: String {
    isSurvival ? "it follows everybody from the first payment to the cut-off" : "it is what stands at the cut-off"
  }
}

/// The metrics a job file may ask for; the engine, which computes them, hands it to the reader of job files.
package struct MetricVocabulary: Sendable {
  package let all: [MetricTerms]
  private let byName: [String: MetricTerms]

  /// A quantile is taken of another metric, so it has no terms of its own.
  package static let quantileName = "quantile"

  package init(_ all: [MetricTerms]) {
    self.all = all
    byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  }

  /// The metric of that name; nil where there is none.
  package func metric(named name: String) -> MetricTerms? { byName[name] }
}
