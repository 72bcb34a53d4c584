/// What is said of a rule wherever the product speaks of it.
package struct DecisionWords: Sendable {
  /// What the reference says of it under `decide_by`: `holds however often you look`.
  package var meaning: String
  /// What the help of `--decide-by` says of it in brackets: `may be read every night`; nil where nothing.
  package var aside: String?
  /// How plans call it: `read every night`.
  package var manner: String
  /// What a plan says by when it finds a lift; nil where that is the one day it is read on.
  package var finding: String?
  /// Whose looks a plan counts beside the last one: `every night's`; nil where there are no others.
  package var looks: String?
  /// When an interval holds: `however often you look`.
  package var hold: String
  /// Behind "Decisions and the intervals of lifts", how often they may be read.
  package var reading: String

  package init(
    meaning: String, aside: String? = nil, manner: String, finding: String? = nil, looks: String? = nil,
    hold: String, reading: String
  ) {
    self.meaning = meaning
    self.aside = aside
    self.manner = manner
    self.finding = finding
    self.looks = looks
    self.hold = hold
    self.reading = reading
  }

  /// What is to be said of figures that were stored by a rule which this version does not have.
  package static func unknown(_ name: String) -> DecisionWords {
    let rule = "by the rule \"\(name)\", which this version does not know"
    return DecisionWords(
      meaning: "unknown", manner: rule, hold: rule,
      reading: "were made \(rule): how often they may be read the version can say that wrote them.")
  }
}
