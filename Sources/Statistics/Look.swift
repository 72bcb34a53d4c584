/// Which reading of a test's figures it is.
public struct Look: Sendable, Hashable {
  /// From 1.
  public var number: Int
  /// How many were planned beforehand; `nil` where nobody has said.
  public var planned: Int?

  /// The first look, of nobody knows how many, unless said otherwise.
  public init(number: Int = 1, planned: Int? = nil) {
    self.number = number
    self.planned = planned
  }
}
