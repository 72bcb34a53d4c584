import Analysis
import Simulation
import Statistics

/// Programmes of tests with a planned end, each of which ships its group on the first night it is told to: is what was
/// promised delivered, and does the interval of what to expect hold the truth?
///
/// The measured lift of what was shipped overstates; the expected one must not, whatever true lifts are like. Jobs say
/// nothing of them, so that the expected lift has the usual prior.
enum Programmes {
  static var studies: [Study] {
    [Truth.normal(0.05), .normal(0.1), .studentT(0.1), .studentT(0.15), .mixed].flatMap { truth in
      [5000, 20_000].map { study(truth, users: $0) }
    }
  }

  /// What true lifts are like.
  private enum Truth {
    case normal(Double)
    /// Of three degrees of freedom, by its standard deviation.
    case studentT(Double)
    /// Eight of ten small, two large.
    case mixed

    var words: String {
      switch self {
      case .normal(let deviation): "lifts N(0, \(Percent.text(deviation)))"
      case .studentT(let deviation): "lifts t₃ of sd \(Percent.text(deviation))"
      case .mixed: "lifts N(0, 3 %), every fifth N(0, 30 %)"
      }
    }

    /// Where all lifts are tiny the usual prior expects too much of them.
    var isTiny: Bool { if case .normal(let deviation) = self { deviation < 0.1 } else { false } }

    func draw(_ random: inout RandomStream) -> Double {
      let lift =
        switch self {
        case .normal(let deviation): deviation * random.normal()
        case .studentT(let deviation): deviation * random.studentT3() / 3.0.squareRoot()
        case .mixed: (random.uniform() < 0.2 ? 0.3 : 0.03) * random.normal()
        }
      return max(-0.9, lift)
    }
  }

  private static let nights = PlannedEnds.nights
  private static let night = SimulatedNight([FalseAlarms.metrics[1]], adjust: .holm, plan: .init(.nights(nights)))

  /// - Parameter users: users of each group by the end.
  private static func study(_ truth: Truth, users: Int) -> Study {
    let share = 0.05
    let baseline = Revenue(share: share).group(of: users / nights)
    return Study(section: .programmes, figures: figures(truth, users), simulations: 4000) { random, tallies in
      let lift = truth.draw(&random)
      let crowds = [baseline, Revenue(share: share * (1 + lift)).group(of: users / nights)]
      let drawn = Nights.revenue(of: crowds, count: nights, &random)
      guard let last = try night.analyze(nights: drawn).verdicts.first else { return }
      tallies[3].add(last.expectedInterval.map { $0.contains(lift) })
      let isShipped = last.call == .ship
      tallies[4].add(isShipped)
      // As it was told on the night of the call.
      guard isShipped, let shownOn = last.shownOn,
        let first = try night.analyze(nights: Array(drawn[..<shownOn])).verdicts.first
      else { return }
      if let expected = first.expected { tallies[0].add(expected, of: lift) }
      if let measured = first.measured { tallies[1].add(measured, of: lift) }
      tallies[2].add(first.expectedInterval.map { $0.contains(lift) })
    }
  }

  private static func figures(_ truth: Truth, _ users: Int) -> [Figure] {
    let position = "\(truth.words), \(users) users a group"
    let note = "true lifts are smaller than the usual prior has them, and a `prior:` or ten ended tests would say so"
    let chosen = "of the small lifts those are shipped that chance helped most"
    return [
      Figure(
        what: "promised of delivered, \(position)", band: truth.isTiny ? .none : .within(0.75, 1.2), note: note),
      Figure(what: "beside it: measured of delivered, \(position)", band: .none),
      Figure(
        what: "the expected lift's interval holds, of those shipped, \(position)", band: .atLeast(0.9), note: chosen),
      Figure(what: "the expected lift's interval holds, of all at the end, \(position)", band: .atLeast(0.9)),
      Figure(what: "beside it: shipped, \(position)", band: .none),
    ]
  }
}
