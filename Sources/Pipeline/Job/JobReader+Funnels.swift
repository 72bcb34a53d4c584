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
    let steps = section.texts("steps")
    let within = section.text("within") == "none" ? nil : duration(section, "within", fewest: 1)
    section.finish()
    if steps?.isEmpty ?? (section.node("steps") == nil) {
      section.problems.add(section.line, "a funnel needs steps:, [paywall_view, purchase] say.")
    }
    guard let name, let steps, !steps.isEmpty else { return nil }
    return Job.Funnel(name: name, steps: steps, withinMilliseconds: within)
  }
}
