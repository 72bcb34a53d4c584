import Statistics

/// A figure of its own that a rule adds to the tables of comparisons.
package struct DecisionColumn: Sendable {
  package let name: String
  package let meaning: String
  package let quantity: Quantity
  package let figure: @Sendable (DecisionOutcome) -> Double?

  /// What a figure is.
  package enum Quantity: Sendable {
    case probability
    /// In the metric's unit.
    case difference
    /// A part of the baseline's value.
    case lift
  }

  package init(
    _ name: String, _ meaning: String, _ quantity: Quantity,
    _ figure: @escaping @Sendable (DecisionOutcome) -> Double?
  ) {
    (self.name, self.meaning, self.quantity, self.figure) = (name, meaning, quantity, figure)
  }

  /// The p-value and the ends of the intervals.
  ///
  /// - Parameters:
  ///   - prefix: what their names begin with: `seq` makes `seq_p_value`.
  ///   - hold: when they hold: `however often you look`.
  package static func figures(prefix: String, hold: String) -> [DecisionColumn] {
    let end = { (side: String, of: String) in "\(side) end of the \(of)'s interval that holds \(hold)" }
    return [
      DecisionColumn("\(prefix)_p_value", "p that holds \(hold)", .probability, \.pValue),
      DecisionColumn("\(prefix)_abs_ci_low", end("lower", "difference"), .difference, \.differenceInterval?.low),
      DecisionColumn("\(prefix)_abs_ci_high", end("upper", "difference"), .difference, \.differenceInterval?.high),
      DecisionColumn("\(prefix)_rel_ci_low", end("lower", "lift"), .lift, \.liftInterval?.low),
      DecisionColumn("\(prefix)_rel_ci_high", end("upper", "lift"), .lift, \.liftInterval?.high),
    ]
  }

  /// The p-value of a guardrail, beside that for a single look.
  package static func margin(prefix: String, hold: String) -> DecisionColumn {
    DecisionColumn("\(prefix)_margin_p_value", "the same, \(hold)", .probability, \.marginPValue)
  }
}
