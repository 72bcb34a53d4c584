import Domain
import Yams

extension JobReader {
  static func readFunnels(_ section: YAMLSection, _ job: inout Job) {
    var lines: [String: Int] = [:]
    job.funnels = section.sections("funnels").compactMap { section in
      guard let funnel = funnel(section) else { return nil }
      if let other = lines[funnel.name] {
        section.problem("name", "the funnel of line \(other) is called \"\(funnel.name)\" too.")
      }
      lines[funnel.name] = section.line
      return funnel
    }
  }

  private static func funnel(_ section: YAMLSection) -> Job.Funnel? {
    let name = section.required("name")
    var steps = steps(section)
    let within = section.text("within") == "none" ? nil : section.duration("within")
    let splitBy = section.text("split_by")
    // Said of the whole funnel, it holds from the first step on.
    if let only = section.texts("only"), steps?.isEmpty == false { steps?[0].only = only.map { Identifier($0) } }
    section.finish()
    if steps?.isEmpty ?? (section.node("steps") == nil) {
      section.problems.add(section.line, "a funnel needs steps:, [paywall_view, purchase] say.")
    }
    if splitBy != nil, steps?.count == 1 {
      section.problem("split_by", "users are parted before the second step; the funnel has only one.")
    }
    guard let name, let steps, !steps.isEmpty else { return nil }
    return Job.Funnel(name: name, steps: steps, withinMilliseconds: within, splitBy: splitBy)
  }

  /// The steps; nil where there are none, or, and said so, where one of them is none.
  private static func steps(_ section: YAMLSection) -> [Job.Funnel.Step]? {
    guard let node = section.node("steps") else { return nil }
    let nodes = node.sequence.map(Array.init) ?? [node]
    let steps = nodes.map { step($0, section) }
    return steps.contains(nil) ? nil : steps.compactMap(\.self)
  }

  /// An event type, a list of which any will do, or `{event: …, only: [group]}`.
  private static func step(_ node: Node, _ section: YAMLSection) -> Job.Funnel.Step? {
    if node.mapping != nil {
      let own = YAMLSection(node, name: "a step", problems: section.problems)
      let events = own.texts("event") ?? []
      let only = own.texts("only")
      own.finish()
      if events.isEmpty { own.problems.add(own.line, "a step needs event:, one event type or several.") }
      return events.isEmpty ? nil : Job.Funnel.Step(events: events, only: only.map { $0.map { Identifier($0) } })
    }
    let events = (node.sequence.map(Array.init) ?? [node]).compactMap { $0.isNull ? nil : $0.scalar?.string }
    guard !events.isEmpty, events.count == node.sequence?.count ?? 1 else {
      section.problem("steps", "a step is an event type, a list of them, or {event: …, only: [group]}.")
      return nil
    }
    return Job.Funnel.Step(events: events)
  }
}

extension Job.Funnel {
  /// Every event type it names.
  package var eventTypes: [String] {
    steps.flatMap(\.events).filter { $0 != Step.anyCharge } + [splitBy].compactMap(\.self)
  }
}
