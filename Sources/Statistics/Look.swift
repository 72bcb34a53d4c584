/// Which reading of a test's figures it is.
public struct Look: Sendable {
  /// From 1.
  public var number: Int
  /// How many were planned beforehand; `nil` where nobody has said.
  public var planned: Int?
  /// The looks of the plan, this one and those before it at least; `nil` where nothing is known of them but their number.
  public var looks: PlannedLooks?

  /// The first look, of nobody knows how many, unless said otherwise.
  public init(number: Int = 1, planned: Int? = nil, of looks: PlannedLooks? = nil) {
    self.number = number
    self.planned = planned
    self.looks = looks
  }

  /// The plan's looks, equally far apart where nothing else is known, and the place of this one, from 0; `nil` without a
  /// plan and behind its end.
  var inPlan: (looks: PlannedLooks, index: Int)? {
    if let looks { return looks.points.indices.contains(number - 1) ? (looks, number - 1) : nil }
    guard let planned, number >= 1, number <= planned else { return nil }
    return (PlannedLooks.evenly(planned), number - 1)
  }
}
