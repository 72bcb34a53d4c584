import Analysis
import Application
import ArgumentParser
import Domain
import Foundation

/// `offerlift analyze`: comparisons from sufficient statistics alone.
struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Compare groups from sufficient statistics alone, by the same code as in a run.",
    discussion: """
      The table is a CSV file with a header: ours (sufficient_statistics.csv), another engine's, or typed in by \
      hand. It needs test_group_id, metric, kind (proportion, mean, ratio), n, sum_y and sum_yy (a proportion \
      may leave sum_yy out); a ratio also sum_x, sum_xx and sum_xy. It may have offering_id, segment, scale, \
      primary, goal, margin (0.02) and guardrail (true), and with a covariate sum_c, sum_cc and sum_yc, for a ratio \
      sum_xc too: means are adjusted by it then. Sums may have decimals. Where nothing is marked primary, every \
      metric is.

      EXAMPLE: conversion of 10,000 users a group, 410 against 480

        printf '%s\\n' test_group_id,metric,kind,n,sum_y \\
          control,conversion,proportion,10000,410 \\
          group_a,conversion,proportion,10000,480 |
          offerlift analyze - --weights control=1,group_a=1

      The comparisons go to stdout; checks go to stderr as sentences, or into the JSON, where each group's own \
      value stands too.
      """)

  @Argument(help: "The table, or - for stdin.", completion: .file(extensions: ["csv"]))
  var table: String

  @Option(
    help: "A job file that lends its settings, baseline, primary metrics and goals.",
    completion: .file(extensions: ["yml", "yaml"]))
  var job: String?

  @Option(help: "The group to hold the others against. (default: each offering's first)")
  var baseline: String?

  @Option(help: "Confidence of the intervals, between 0 and 1. (default: 0.95)")
  var confidence: Double?

  @Option(
    help: ArgumentHelp(
      "\(DecisionCatalog.product.choices). (default: \(DecisionCatalog.product.usual.name))", valueName: "how"))
  var decideBy: String?

  @Option(help: ArgumentHelp("fieller, delta or log. (default: fieller)", valueName: "method"))
  var liftInterval: String?

  @Option(
    help: ArgumentHelp(
      "Users at which the sequential interval is tightest. (default: 5000)", valueName: "users"))
  var tuning: Double?

  @Option(
    help: ArgumentHelp("Nights that the test is planned for: decides by `planned`.", valueName: "nights"))
  var nights: Int?

  @Option(help: ArgumentHelp("Which night of the plan it is. (default: its last)", valueName: "number"))
  var night: Int?

  @Option(
    help: ArgumentHelp(
      "Parts of the plan that are over at its looks, as 0.25,0.5,1: decides by `group_sequential`.",
      valueName: "share,…"))
  var looks: String?

  @Option(help: ArgumentHelp("Which of the looks it is. (default: the last)", valueName: "number"))
  var look: Int?

  @Option(
    help: ArgumentHelp(
      "How the looks spend the level: obrien_fleming, pocock or hsd:-4. (default: obrien_fleming)", valueName: "how"))
  var spending: String?

  @Option(
    help: ArgumentHelp("Prior of the lift for chance_to_win, as 0,0.3. (default: flat)", valueName: "mean,sd")
  )
  var prior: String?

  @Option(help: ArgumentHelp("holm, hochberg, bh, by or none. (default: holm)", valueName: "method"))
  var adjust: String?

  @Option(
    help: ArgumentHelp(
      "Weights for the sample-ratio check, as control=1,group_a=1.", valueName: "group=weight,…"))
  var weights: String?

  @Option(help: ArgumentHelp("csv or json. (default: csv)", valueName: "format"))
  var format: String?

  func run() throws {
    let report = try AnalyzeRun.report(table: table, job: job, arguments: arguments)
    try Terminal.results(report.output)
    for note in report.notes { Terminal.write("\(PrintableText.sentence(note))\n") }
  }

  private var arguments: AnalyzeArguments {
    var arguments = AnalyzeArguments(name: table == "-" ? "stdin" : table)
    arguments.baseline = baseline
    arguments.confidence = confidence
    arguments.decideBy = decideBy
    arguments.liftInterval = liftInterval
    arguments.tuning = tuning
    (arguments.nights, arguments.night) = (nights, night)
    (arguments.looks, arguments.look, arguments.spending) = (looks, look, spending)
    arguments.prior = prior
    arguments.adjust = adjust
    arguments.weights = weights
    arguments.format = format
    return arguments
  }
}
