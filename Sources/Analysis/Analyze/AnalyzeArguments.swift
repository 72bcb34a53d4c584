import Domain
import Jobs
import Measurement
import Statistics

/// What `offerlift analyze` was asked for, as typed; nil is the job's setting or, without a job, the default.
package struct AnalyzeArguments: Sendable {
  /// What the table is called in messages.
  package var name: String
  package var baseline: String?
  package var confidence: Double?
  package var decideBy: String?
  package var liftInterval: String?
  package var tuning: Double?
  /// How many nights the test is planned for.
  package var nights: Int?
  /// Which night of it the table is of.
  package var night: Int?
  /// `0.25,0.5,1`: the parts of the plan that are over at its few looks.
  package var looks: String?
  /// How the level is spent at them.
  package var spending: String?
  /// Which of them the table is of.
  package var look: Int?
  /// `MEAN,SD` of the lift's prior.
  package var prior: String?
  package var adjust: String?
  /// `GROUP=WEIGHT,…`.
  package var weights: String?
  package var format: String?

  package init(name: String) {
    self.name = name
  }

  /// What comes out.
  package enum Format: String, CaseIterable { case csv, json }
}

extension AnalyzeArguments {
  /// The job's settings, or the defaults, with what was typed put over them.
  ///
  /// - Throws: `OfferliftError` 64 saying what to type instead.
  func settings(job: Job?) throws -> AnalysisSettings {
    var settings = try job.map { try AnalysisSettings($0) } ?? AnalysisSettings()
    if let confidence { settings.confidence = confidence }
    guard settings.confidence > 0, settings.confidence < 1 else {
      throw usage("--confidence \(settings.confidence) is not between 0 and 1; type 0.95, say.")
    }
    if let tuning { settings.parameters.tuning = tuning }
    guard settings.parameters.tuning > 0, settings.parameters.tuning.isFinite else {
      throw usage("--tuning \(settings.parameters.tuning) is not a number of users above 0; type 5000, say.")
    }
    try readPlan(into: &settings)
    try readLooks(into: &settings)
    settings.rule = try OptionWord.rule(decideBy, "--decide-by", among: settings.rules) ?? settings.rule
    guard settings.rule.name != DecisionVocabulary.groupSequential || settings.parameters.looks != nil else {
      throw usage("--decide-by group_sequential needs its looks; type --looks 0.25,0.5,0.75,1, say.")
    }
    guard settings.rule.name != DecisionVocabulary.planned || settings.parameters.plan?.nights != nil else {
      throw usage("--decide-by planned needs to know the end; type --nights 28, say.")
    }
    settings.liftInterval = try OptionWord.parsed(liftInterval, "--lift-interval") ?? settings.liftInterval
    settings.adjust = try OptionWord.parsed(adjust, "--adjust") ?? settings.adjust
    if let prior { settings.prior = try parsedPrior(prior) }
    return settings
  }

  /// A table has no days: its look is one of as many as there are nights, each of which brings the same.
  private func readPlan(into settings: inout AnalysisSettings) throws {
    guard let nights = nights ?? settings.parameters.plan?.nights else {
      guard night == nil else { throw usage("--night needs --nights, the nights that the test is planned for.") }
      return
    }
    guard (1...PlannedTest.mostNights).contains(nights) else {
      throw usage("--nights \(nights) is no plan; type 1 to \(PlannedTest.mostNights), 28 say.")
    }
    let night = night ?? nights
    guard night >= 1 else { throw usage("--night \(night) is none; the first is 1.") }
    if self.nights != nil {
      settings.rule =
        try OptionWord.rule(DecisionVocabulary.planned, "--nights", among: settings.rules) ?? settings.rule
    }
    settings.parameters.plan = PlannedTest(.nights(nights))
    settings.look = Look(number: night, planned: nights)
  }

  /// Of a plan's few looks a table is one, each with its part of the plan's users.
  private func readLooks(into settings: inout AnalysisSettings) throws {
    settings.parameters.looks = try LookSchedule(looks, spending: spending, over: settings.parameters.looks)
    guard let schedule = settings.parameters.looks else {
      guard look == nil else { throw usage("--look needs --looks, 0.25,0.5,0.75,1 say.") }
      return
    }
    let number = look ?? schedule.shares.count
    guard (1...schedule.shares.count).contains(number) else {
      throw usage("--look \(number) is none of \(schedule.shares.count) looks; type 1 to \(schedule.shares.count).")
    }
    if looks != nil {
      settings.rule =
        try OptionWord.rule(DecisionVocabulary.groupSequential, "--looks", among: settings.rules) ?? settings.rule
    }
    settings.look = Look(schedule, number: number)
  }

  /// The format asked for, CSV by default.
  package func parsedFormat() throws -> Format {
    try OptionWord.parsed(format, "--format") ?? .csv
  }

  /// Weights by group; nil where none were typed.
  func parsedWeights() throws -> [Identifier: Double]? {
    guard let weights else { return nil }
    var parsed: [Identifier: Double] = [:]
    for part in weights.split(separator: ",") {
      guard let mark = part.lastIndex(of: "="), let weight = Double(part[part.index(after: mark)...]),
        weight >= 0, weight.isFinite
      else { throw usage("--weights \"\(part)\" is not GROUP=WEIGHT; type control=1,group_a=1, say.") }
      parsed[Identifier(part[..<mark])] = weight
    }
    return parsed
  }

  private func parsedPrior(_ text: String) throws -> NormalPrior {
    let numbers = text.split(separator: ",").map { Double($0.filter { $0 != " " }) }
    guard numbers.count == 2, let mean = numbers[0], let sd = numbers[1], sd > 0, mean.isFinite, sd.isFinite
    else { throw usage("--prior \"\(text)\" is not MEAN,SD with an SD above 0; type 0,0.3, say.") }
    return NormalPrior(mean: mean, standardDeviation: sd)
  }

  private func usage(_ message: String) -> OfferliftError { OfferliftError(.usage, message) }
}
