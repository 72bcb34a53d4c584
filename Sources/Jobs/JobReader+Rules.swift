import Domain
import Foundation
import Statistics

/// How a job measures, decides and warns.
extension JobReader {
  static func readRules(_ section: YAMLSection, _ vocabulary: JobVocabulary, _ job: inout Job) {
    readBaseline(section, &job)
    job.population = section.choice("population", of: Job.Population.self) ?? job.population
    job.multipleGroups = section.choice("multiple_groups", of: Job.MultipleGroups.self) ?? job.multipleGroups
    job.newCustomersOnly = section.flag("new_customers_only") ?? job.newCustomersOnly
    job.countsOutside = section.flag("outside") ?? job.countsOutside
    job.confidence =
      section.number("confidence", in: JobLimits.confidence, "a number from 0.5 to 0.9999") ?? job.confidence
    job.decideBy = section.choice("decide_by", among: vocabulary.rules.all.map { ($0.name, $0.name) })
    readPlan(section, &job)
    job.tuning = section.number("tuning", in: JobLimits.tuning, "a number of users, at least 1") ?? job.tuning
    job.liftInterval = section.choice("lift_interval", of: LiftIntervalMethod.self) ?? job.liftInterval
    job.adjust = section.choice("adjust", of: Adjustment.self) ?? job.adjust
    job.exact = section.choice("exact", of: ExactTest.self) ?? job.exact
    job.unitCost = section.number("unit_cost", in: JobLimits.unitCost, "an amount of money from 0") ?? job.unitCost
    job.maxRejectRatio = section.number("max_reject_ratio", in: 0...1, "a share from 0 to 1") ?? job.maxRejectRatio
    job.onCorrupt = section.choice("on_corrupt", of: Job.OnCorrupt.self) ?? job.onCorrupt
    job.offerings = section.texts("offerings").map { $0.map { Identifier($0) } }
    job.eventTypes = section.texts("event_types") ?? []
    job.trial = trial(section)
    job.segments = section.texts("segments") ?? []
    readRejects(section, &job)
    readPrior(section, &job)
    readEnrolment(section, &job)
    readExcludedGroups(section, &job)
    readWeights(section, &job)
    checkWeights(section, job)
    readWarnLevels(section, vocabulary.checks, &job)
    readCompareSince(section, &job)
  }

  private static func trial(_ section: YAMLSection) -> Period? {
    guard let text = section.text("trial") else { return nil }
    if let period = Period(text), !period.isEmpty { return period }
    let days = (JobDuration.milliseconds(text, minimum: 1) ?? 0) / Instant.millisecondsPerDay
    let meant = days > 0 ? "P\(days)D" : "P14D, P1W or P1M"
    section.problem("trial", "\"\(text)\" is no length of a trial; write \(meant).")
    return nil
  }

  private static func readBaseline(_ section: YAMLSection, _ job: inout Job) {
    guard let node = section.node("baseline") else { return }
    job.baseline.line = section.line(of: "baseline")
    if let name = node.scalar?.string {
      job.baseline.group = Identifier(name)
      return
    }
    for entry in YAMLSection(node, name: "baseline", problems: section.problems).entries {
      guard let group = entry.node.scalar?.string else {
        section.problems.add(entry.line, "baseline: write {offering: group}.")
        continue
      }
      job.baseline.byOffering[Identifier(entry.key)] = Identifier(group)
      job.baseline.lines[Identifier(entry.key)] = entry.line
    }
  }

  private static func readRejects(_ section: YAMLSection, _ job: inout Job) {
    guard let rejects = section.section("rejects") else { return }
    job.retainsExcerpts = rejects.flag("excerpts") ?? job.retainsExcerpts
    rejects.finish()
  }

  private static func readPrior(_ section: YAMLSection, _ job: inout Job) {
    guard let prior = section.section("prior") else { return }
    let mean = prior.number("mean", in: JobLimits.priorMean, "a lift, 0.1 for 10 %")
    let sd = prior.number("sd", in: JobLimits.priorDeviation, "a standard deviation above 0")
    if let sd {
      job.prior = NormalPrior(mean: mean ?? 0, standardDeviation: sd)
    } else {
      prior.problem("sd", "the prior needs it.")
    }
    prior.finish()
  }

  private static func readEnrolment(_ section: YAMLSection, _ job: inout Job) {
    guard let enrolment = section.section("enrolment") else { return }
    let (from, to) = (instant(enrolment, "from", job.timezone), instant(enrolment, "to", job.timezone))
    job.enrolment = Job.Enrolment(from: from, to: to)
    if let from, let to, from > to, let first = enrolment.text("from"), let last = enrolment.text("to") {
      enrolment.problem("from", "\(first) is after to: \(last), so that nobody would be measured; swap the two.")
    }
    enrolment.finish()
  }

  static func instant(_ section: YAMLSection, _ key: String, _ zone: TimeZone) -> Instant? {
    guard let text = section.text(key) else { return nil }
    do {
      return try Instant(text, timezone: zone)
    } catch {
      section.problem(key, "\"\(text)\" is neither a date nor a time; write 2026-03-01.")
      return nil
    }
  }

  private static func readCompareSince(_ section: YAMLSection, _ job: inout Job) {
    guard let text = section.text("compare_since") else { return }
    guard TimeText.day(text) != nil else {
      return section.problem("compare_since", "\"\(text)\" is no night's date; write 2026-03-31.")
    }
    job.compareSince = text
  }

  private static func readWarnLevels(_ section: YAMLSection, _ checks: CheckVocabulary, _ job: inout Job) {
    guard let levels = section.section("warn_levels") else { return }
    for entry in levels.entries {
      if let problem = checks.problem(levelOf: entry.key) {
        section.problems.add(entry.line, "warn_levels: \(problem)")
        continue
      }
      guard let level = entry.node.scalar.flatMap({ Double($0.string) }), (0...1).contains(level) else {
        section.problems.add(entry.line, "the warn level of \(entry.key) is not a share from 0 to 1.")
        continue
      }
      job.warnLevels[entry.key] = level
    }
  }
}
