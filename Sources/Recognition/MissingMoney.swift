import Domain
import Engine
import Jobs

/// What to say where no row of a stranger's logs tells a charge: what there is, and which log tells the money.
package struct MissingMoney {
  package let sentence: String

  /// Nil where some row tells a charge.
  package init?(_ recognition: Recognition) {
    guard !recognition.survey.reportsCharges, !recognition.purchases.isEmpty else { return nil }
    let formats = recognition.purchases.map(\.input.format)
    let names = Set(formats.map(\.name)).sorted()
    let positions = Set(formats.compactMap(\.moneyElsewhere)).sorted()
    let what =
      formats.allSatisfy { !$0.reportsCharges }
      ? "No input tells what was paid (\(names.joined(separator: ", ")))" : "No row of the logs tells a charge"
    let price = PlanPrice(recognition.logSamples).map { plan in
      " The server's plan costs \(plan.words), and no row says who paid it."
    }
    let add =
      positions.isEmpty
      ? "the log that tells what was paid" : "the log that does: \(positions.joined(separator: "; "))"
    sentence =
      "\(what), so the job measures what was done, and no money.\(price ?? "") For money add \(add). Type init again "
      + "with it behind --purchases, and --force."
  }
}
