import Analysis
import Application
import ArgumentParser
import Domain
import Foundation

/// `offerlift power`: how many users and nights a test needs.
struct PowerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "power",
    abstract: "Say how many users and nights a test needs, and what it would find now.",
    discussion: """
      From a job: measures it as a run would, writes nothing, and plans each primary metric on from the \
      baseline's value and spread, the users there are and the rate at which they come. Where groups sell at \
      different prices it plans on revenue per user. Without --lift it plans for the metric's margin, else 10 %.

      From figures: a share (--baseline) or a mean (--mean with --sd, of all users, non-payers as 0).

      \(DecisionCatalog.product.ways)

      EXAMPLES

        offerlift power jobs/offering-price-test.yml --date 2026-04-30 --lift 0.05
        offerlift power --baseline 0.03 --lift 0.1 --per-day 4000
        offerlift power --mean 4.20 --sd 25 --lift 0.1 --groups 3 --users 60000 --per-day 4000 --window 30d
      """)

  @Argument(help: "A job file; without one, give figures.", completion: .file(extensions: ["yml", "yaml"]))
  var job: String?

  @OptionGroup var night: NightOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The lift to find: 0.1 is 10 % more, -0.1 is 10 % less.", valueName: "lift"))
  var lift: Double?

  @Option(help: ArgumentHelp("The baseline's share: 0.03 is 3 %.", valueName: "share"))
  var baseline: Double?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The baseline's mean, instead of a share.", valueName: "value"))
  var mean: Double?

  @Option(help: ArgumentHelp("The standard deviation that goes with --mean.", valueName: "value"))
  var sd: Double?

  @Option(help: ArgumentHelp("Size of each other group, the baseline's being 1. (default: 1)", valueName: "ratio"))
  var ratio: Double?

  @Option(help: ArgumentHelp("Groups, the baseline among them. (default: 2)", valueName: "count"))
  var groups: Int?

  @Option(help: ArgumentHelp("Users of all groups there are now.", valueName: "count"))
  var users: Int?

  @Option(help: ArgumentHelp("Users of all groups who come a day.", valueName: "count"))
  var perDay: Double?

  @Option(
    help: ArgumentHelp("The metric's window, 7d: users count when it has ended. (default: none)", valueName: "length"))
  var window: String?

  @Option(
    help: ArgumentHelp(
      "Probability of a false call. (default: the job's 1 - confidence, else 0.05)", valueName: "share"))
  var alpha: Double?

  @Option(help: ArgumentHelp("Probability to find the lift if it is there. (default: 0.8)", valueName: "share"))
  var power: Double?

  @Option(
    help: ArgumentHelp(
      "\(DecisionCatalog.product.choices). (default: the job's, else \(DecisionCatalog.product.usual.name))",
      valueName: "how"))
  var decideBy: String?

  @Option(
    help: ArgumentHelp(
      "Users at which the sequential interval is tightest. (default: the job's, else 5000)", valueName: "users"))
  var tuning: Double?

  @Option(
    help: ArgumentHelp(
      "Nights that the test is planned for: decides by `planned`. (default: the job's plan)", valueName: "nights"))
  var nights: Int?

  @Option(
    help: ArgumentHelp(
      "Parts of the plan that are over at its looks, as 0.25,0.5,1: decides by `group_sequential`. (default: the job's)",
      valueName: "share,…"))
  var looks: String?

  @Option(
    help: ArgumentHelp(
      "How the looks spend the level: obrien_fleming, pocock or hsd:-4. (default: the job's, else obrien_fleming)",
      valueName: "how"))
  var spending: String?

  @Option(
    help: ArgumentHelp("none, if comparisons do not share alpha. (default: the job's, else holm)", valueName: "method"))
  var adjust: String?

  func validate() throws {
    try night.requireOne()
    guard job != nil || !night.isGiven else { throw ValidationError("--as-of and --date go with a job file.") }
  }

  @OptionGroup var progress: ProgressOptions

  func run() async throws {
    let report =
      if let job {
        try await progress.showing {
          try await PowerRun.report(
            job: job, night: night.choice, arguments: arguments, threads: ProcessInfo.processInfo.activeProcessorCount)
        }
      } else {
        try PowerReport(arguments)
      }
    try Terminal.results(PrintableText.escapedLines(report.text))
  }

  private var arguments: PowerArguments {
    var arguments = PowerArguments()
    (arguments.baseline, arguments.mean, arguments.deviation) = (baseline, mean, sd)
    (arguments.lift, arguments.ratio, arguments.groups) = (lift, ratio, groups)
    (arguments.users, arguments.usersPerDay, arguments.window) = (users, perDay, window)
    (arguments.alpha, arguments.power, arguments.decideBy) = (alpha, power, decideBy)
    (arguments.tuning, arguments.adjust, arguments.nights) = (tuning, adjust, nights)
    (arguments.looks, arguments.spending) = (looks, spending)
    return arguments
  }
}
