import Simulation
import Statistics

/// Programmes of tests, each of which ships its group on the first night it is told to: is what was promised delivered?
///
/// True lifts are normal about 0. The measured lift of what was shipped overstates; the expected one must not.
enum Programmes {
  static var studies: [Study] {
    [0.05, 0.1].flatMap { spread in [(1000, "small"), (10_000, "large")].map { study(spread, users: $0.0, $0.1) } }
  }

  private static let share = 0.05
  private static let factors = [1.0, 0.5, 2]
  private static let thin =
    "chance moves the lifts of so few payers by more than lifts differ, so that the prior decides; were lifts measured "
    + "exactly normally, it would be the same"

  /// - Parameters:
  ///   - spread: the standard deviation of true lifts.
  ///   - users: users who join each group a night.
  private static func study(_ spread: Double, users: Int, _ size: String) -> Study {
    let nights = factors.map { factor in
      SimulatedNight([FalseAlarms.metrics[1]], readsOnce: false, adjust: .holm, spread: spread * factor)
    }
    let baseline = Revenue(share: share).group(of: users)
    // Few small tests ship.
    let simulations = size == "small" ? 30_000 : 10_000
    let figures = figures(spread, users, size)
    return Study(section: .programmes, figures: figures, simulations: simulations) { random, tallies in
      let lift = spread * random.normal()
      let crowds = [baseline, Revenue(share: share * (1 + lift)).group(of: users)]
      var sums = crowds.map { _ in Spending(users: 0) }
      var isShipped = false
      for _ in 0..<NightlyLooks.nights where !isShipped {
        for group in crowds.indices { sums[group].merge(crowds[group].draw(&random)) }
        let groups = sums.map { SimulatedNight.Group(users: $0.users, sums: [$0.revenue]) }
        guard let verdict = try nights[0].analyze(groups).verdicts.first, verdict.call == .ship else { continue }
        isShipped = true
        for (place, night) in nights.enumerated() {
          if let expected = try night.analyze(groups).verdicts.first?.expected {
            tallies[place].add(expected, of: lift)
          }
        }
        if let measured = verdict.measured { tallies[factors.count].add(measured, of: lift) }
      }
      tallies[factors.count + 1].add(isShipped)
    }
  }

  private static func figures(_ spread: Double, _ users: Int, _ size: String) -> [Figure] {
    let place = "lifts N(0, \(Percent.text(spread))), \(size) tests, \(users) a night and group"
    return [
      Figure(what: "promised of delivered, τ right, \(place)", band: .within(0.9, 1.1)),
      Figure(what: "promised of delivered, τ half of what is right, \(place)", band: .within(0.7, 1.4), note: thin),
      Figure(what: "promised of delivered, τ twice what is right, \(place)", band: .within(0.7, 1.4), note: thin),
      Figure(what: "beside it: measured of delivered, \(place)", band: .none),
      Figure(what: "beside it: shipped, \(place)", band: .none),
    ]
  }
}
