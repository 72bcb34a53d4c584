import Domain
import Statistics
import Yams

extension JobReader {
  static func readMetrics(_ section: YAMLSection, _ vocabulary: MetricVocabulary, _ job: inout Job) {
    let metrics = section.sections("metrics") { name in
      let hasWindow = vocabulary.metric(named: name)?.hasWindow ?? true
      return "- {name: \(name)\(hasWindow ? ", window: 7d" : "")}"
    }
    job.metrics = metrics.compactMap { metric($0, vocabulary, job) }
    if section.node("metrics") == nil { section.problems.add(section.line, "the job needs metrics:.") }
    checkNames(section, job)
    checkAttributes(section, job)
  }

  private static func metric(
    _ section: YAMLSection, _ vocabulary: MetricVocabulary, _ job: Job
  ) -> MetricRequest? {
    guard let name = section.required("name") else { return nil }
    var metric = MetricRequest(name: name, id: name, line: section.line)
    metric.quantile = name == MetricVocabulary.quantileName ? quantile(section, vocabulary) : nil
    guard let definition = vocabulary.metric(named: metric.quantile?.of ?? name) else {
      let known = vocabulary.all.map(\.name) + [MetricVocabulary.quantileName]
      section.problem("name", "there is no metric \"\(name)\"; \(hint(for: name, among: known))")
      return nil
    }
    metric.kindPerUser = definition.kindPerUser
    metric.isOfCharges = definition.isOfCharges
    readWindow(section, definition, &metric)
    metric.id = section.text("id") ?? metric.id
    metric.label = label(section)
    metric.primary = section.flag("primary") ?? false
    metric.statedGoal = section.choice("goal", of: Goal.self)
    metric.segments = section.texts("segments")
    if let immature = section.choice("immature", of: Immature.self) { metric.includesImmature = immature == .include }
    readCap(section, definition, &metric)
    readFilter(section, &metric)
    for option in definition.options { option.read(section, definition.name, into: &metric) }
    if let use = definition.catalogUse, job.catalog == nil {
      section.problems.add(section.line, "\(definition.name) needs catalog:, \(use).")
    }
    readMethods(section, definition, &metric)
    metric.isCost = metric.quantile == nil && (definition.isCost || definition.isRatio && metric.goal == .decrease)
    refuseAsGuardrail(section, metric)
    section.finish()
    return metric
  }

  /// What a quantile is taken of; nil, and a problem reported, where the job does not say.
  private static func quantile(
    _ section: YAMLSection, _ vocabulary: MetricVocabulary
  ) -> MetricRequest.Quantile? {
    let level = section.number("q", in: JobLimits.share, "a number between 0 and 1")
    let zeros = section.flag("zeros") ?? false
    guard let of = section.required("of") else { return nil }
    if level == nil, section.node("q") == nil { section.problems.add(section.line, "a quantile needs q:, 0.9 say.") }
    let known = vocabulary.all.filter { $0.kind == .mean && !$0.isSurvival }.map(\.name)
    guard known.contains(of) else {
      section.problem("of", "\"\(of)\" is no metric of kind mean; take one of \(known.joined(separator: ", ")).")
      return nil
    }
    return MetricRequest.Quantile(of: of, q: level ?? 0.5, includesZeros: zeros)
  }

  /// How the metric is judged beyond the usual.
  private static func readMethods(
    _ section: YAMLSection, _ definition: MetricTerms, _ metric: inout MetricRequest
  ) {
    if let covariate = section.section("covariate") {
      let text = covariate.required("lookback")
      metric.covariateMilliseconds = text.flatMap { JobDuration.milliseconds($0) }
      if let text, metric.covariateMilliseconds == nil {
        covariate.problem("lookback", "\"\(text)\" is no length of time; write 30d.")
      }
      covariate.finish()
      if !definition.hasWindow {
        section.problem(
          "covariate", "\(definition.name) is taken at the cut-off, so it has no value before the assignment.")
      }
    }
    metric.robust = section.flag("robust") ?? false
    if metric.robust, definition.kind != .mean || definition.isSurvival {
      section.problem("robust", "only metrics that are means have it.")
    }
    metric.guardrail = section.flag("guardrail") ?? false
    metric.margin = section.number("margin", in: JobLimits.share, "a lift between 0 and 1, 0.02 for 2 %")
    metric.stratify = section.text("stratify").map { MetricRequest.Strata($0) }
    if metric.stratify != nil, definition.isSurvival { section.problem("stratify", "a survival curve takes none.") }
    refuseOnQuantile(section, metric)
  }

  /// What the test moves by whom it is of is held to no margin.
  private static func refuseAsGuardrail(_ section: YAMLSection, _ metric: MetricRequest) {
    if metric.guardrail, let quantile = metric.quantile, !quantile.includesZeros {
      section.problem("guardrail", "a quantile of those who paid is of other people in each group; write zeros: true.")
    }
  }

  /// A quantile is compared by its ranks alone.
  private static func refuseOnQuantile(_ section: YAMLSection, _ metric: MetricRequest) {
    guard metric.quantile != nil else { return }
    if metric.covariateMilliseconds != nil { section.problem("covariate", "a quantile takes none.") }
    if metric.stratify != nil { section.problem("stratify", "a quantile takes none.") }
    if metric.robust { section.problem("robust", "a quantile is robust by itself; leave it out.") }
  }

  /// The default id is the name and the window as it was typed.
  private static func readWindow(
    _ section: YAMLSection, _ definition: MetricTerms, _ metric: inout MetricRequest
  ) {
    guard let text = section.text("window") else { return }
    guard definition.hasWindow else {
      return section.problem("window", "\(definition.name) takes none: \(definition.timeInWords); leave it out.")
    }
    metric.id = "\(metric.name)_\(text)"
    if text == "none" { return }
    metric.windowMilliseconds = JobDuration.milliseconds(text)
    if metric.windowMilliseconds == nil {
      section.problem("window", "\"\(text)\" is no length of time; write 7d, 36h, or none.")
    }
  }

  private static func readCap(
    _ section: YAMLSection, _ definition: MetricTerms, _ metric: inout MetricRequest
  ) {
    guard let cap = section.section("cap") else { return }
    if definition.kind == .proportion { section.problem("cap", "a proportion has nothing to cut.") }
    if definition.isSurvival { section.problem("cap", "a survival curve has nothing to cut.") }
    if let text = cap.text("value") {
      let decimals = definition.isMoney ? 6 : 0
      if let level = decimal(text, decimals: decimals) {
        metric.cap = .value(Int128(level))
      } else {
        cap.problem("value", "\"\(text)\" is not a number with at most \(decimals) decimals.")
      }
    }
    if let text = cap.text("percentile") {
      if let percent = decimal(text, decimals: 6), percent > 0, percent <= 100_000_000 {
        metric.cap = .percentile(numerator: Int128(percent), denominator: 100_000_000)
      } else {
        cap.problem("percentile", "\"\(text)\" is not a number above 0 and up to 100.")
      }
    }
    cap.finish()
  }

  private static func decimal(_ text: String, decimals: Int) -> Int64? {
    try? DecimalText.parse(text, decimals: decimals)
  }

  private static func readFilter(_ section: YAMLSection, _ metric: inout MetricRequest) {
    guard let filter = section.section("where") else { return }
    let products = JobFields.products.compactMap { filter.texts($0) }.joined()
    metric.filter.products = products.map { Identifier($0) }
    metric.filter.tiers = JobFields.tiers.compactMap { filter.texts($0) }.joined().map { Identifier($0) }
    for text in JobFields.kinds.compactMap({ filter.texts($0) }).joined() {
      if let kind = ProductKind(rawValue: text) {
        metric.filter.kinds.append(kind)
      } else {
        let known = ProductKind.allCases.map(\.rawValue).joined(separator: ", ")
        filter.problem("kinds", "\"\(text)\" is none of \(known).")
      }
    }
    filter.finish()
    if metric.filter.isEmpty { section.problem("where", "name products:, kinds: or tiers:.") }
  }

  /// A segment's attribute must come from some assignment table.
  private static func checkAttributes(_ section: YAMLSection, _ job: Job) {
    let known = job.assignments.flatMap(\.attributes)
    let asked =
      job.segments.map { ($0, section.line(of: "segments")) }
      + job.metrics.flatMap { metric in (metric.segments ?? []).map { ($0, metric.line) } }
    for (attribute, line) in asked where !known.contains(attribute) {
      let nearest = nearestName(to: attribute, among: known).map { "did you mean \"\($0)\"?" }
      section.problems.add(
        line,
        "segments: no assignments name the attribute \"\(attribute)\"; \(nearest ?? "add it to their attributes:").")
    }
    for metric in job.metrics {
      switch metric.stratify {
      case .attribute(let name) where !(metric.segments ?? job.segments).contains(name):
        section.problems.add(metric.line, "stratify: \(name) needs \(name) among the metric's segments:.")
      case .day where known.contains(MetricRequest.Strata.dayName):
        section.problems.add(
          metric.line,
          "stratify: day is the day of the assignment, and the assignments have an attribute \"day\" too; give that "
            + "attribute another name.")
      case .attribute, .day, nil: break
      }
    }
  }
}
