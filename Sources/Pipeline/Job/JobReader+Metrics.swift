import Yams

extension JobReader {
  static func readMetrics(_ section: YAMLSection, _ job: inout Job) {
    job.metrics = section.sections("metrics").compactMap { metric($0) }
    if section.node("metrics") == nil { section.problems.add(section.line, "the job needs metrics:.") }
    var lines: [String: Int] = [:]
    for metric in job.metrics {
      if let other = lines[metric.id] {
        section.problems.add(
          metric.line, "the metric of line \(other) is called \"\(metric.id)\" too; give one of them an id: of its own.")
      }
      lines[metric.id] = metric.line
    }
    checkAttributes(section, job)
  }

  private static func metric(_ section: YAMLSection) -> MetricRequest? {
    guard let name = section.required("name") else { return nil }
    guard let definition = MetricCatalog.metric(named: name) else {
      let known = MetricCatalog.all.map(\.name)
      let nearest = nearestName(to: name, among: known).map { "did you mean \"\($0)\"?" }
      section.problem("name", "there is no metric \"\(name)\"; \(nearest ?? "known are \(known.joined(separator: ", ")).")")
      return nil
    }
    var metric = MetricRequest(name: name, id: name, line: section.line)
    readWindow(section, &metric)
    metric.id = section.text("id") ?? metric.id
    metric.primary = section.flag("primary") ?? false
    metric.goal = section.choice("goal", of: MetricRequest.Goal.self) ?? .increase
    metric.segments = section.texts("segments")
    if let immature = section.choice("immature", of: Immature.self) { metric.includesImmature = immature == .include }
    readCap(section, definition, &metric)
    readFilter(section, &metric)
    readOptions(section, definition, &metric)
    section.finish()
    return metric
  }

  private enum Immature: String, CaseIterable { case exclude, include }

  /// The default id is the name and the window as it was typed.
  private static func readWindow(_ section: YAMLSection, _ metric: inout MetricRequest) {
    guard let text = section.text("window") else { return }
    metric.id = "\(metric.name)_\(text)"
    if text == "none" { return }
    metric.windowMilliseconds = JobDuration.milliseconds(text)
    if metric.windowMilliseconds == nil {
      section.problem("window", "\"\(text)\" is no length of time; write 7d, 36h, or none.")
    }
  }

  private static func readCap(
    _ section: YAMLSection, _ definition: MetricDefinition, _ metric: inout MetricRequest
  ) {
    guard let cap = section.section("cap") else { return }
    if definition.kind == .proportion { section.problem("cap", "a proportion has nothing to cut.") }
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
    Array(text.utf8).withUnsafeBufferPointer { try? DecimalText.parse($0, decimals: decimals) }
  }

  private static func readFilter(_ section: YAMLSection, _ metric: inout MetricRequest) {
    guard let filter = section.section("where") else { return }
    let products = ["products", "product", "product_ids", "product_id"].compactMap { filter.texts($0) }.joined()
    metric.filter.products = products.map { Identifier($0) }
    metric.filter.tiers = ["tiers", "tier"].compactMap { filter.texts($0) }.joined().map { Identifier($0) }
    for text in ["kinds", "kind"].compactMap({ filter.texts($0) }).joined() {
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

  private static func readOptions(
    _ section: YAMLSection, _ definition: MetricDefinition, _ metric: inout MetricRequest
  ) {
    for option in MetricDefinition.Option.allCases where definition.options.contains(option) {
      switch option {
      case .kept: metric.kept = section.flag("kept") ?? false
      case .event: metric.event = section.required("event")
      case .numerator: metric.numerator = section.required("numerator")
      case .denominator: metric.denominator = section.required("denominator")
      }
    }
  }

  /// A segment's attribute must come from some assignment table.
  private static func checkAttributes(_ section: YAMLSection, _ job: Job) {
    let known = job.assignments.flatMap(\.attributes)
    for attribute in job.segmentAttributes where !known.contains(attribute) {
      let nearest = nearestName(to: attribute, among: known).map { "did you mean \"\($0)\"?" }
      section.problem(
        "segments", "no assignments name the attribute \"\(attribute)\"; \(nearest ?? "add it to their attributes:").")
    }
  }
}
