import Domain

extension JobReader {
  /// What people call a metric: one printable line.
  static func label(_ section: YAMLSection) -> String? {
    guard let label = section.text("label") else { return nil }
    let isOneLine = PrintableText.escaped(label) == label && !label.contains("\t")
    guard isOneLine, !label.allSatisfy(\.isWhitespace) else {
      section.problem("label", "write one line of printable text, \"Net revenue per user\" say.")
      return nil
    }
    guard label.unicodeScalars.count <= JobLimits.labelCharacters else {
      section.problem(
        "label", "\(label.unicodeScalars.count) characters are too many; write at most \(JobLimits.labelCharacters).")
      return nil
    }
    return label
  }

  /// Each metric must have an id of its own, and none may have the label of another.
  static func checkNames(_ section: YAMLSection, _ job: Job) {
    var ids: [String: Int] = [:]
    var labels: [String: Int] = [:]
    for metric in job.metrics {
      if let other = ids.updateValue(metric.line, forKey: metric.id) {
        section.problems.add(
          metric.line, "the metric of line \(other) is called \"\(metric.id)\" too; give one of them an id: of its own."
        )
      }
      guard let label = metric.label, let other = labels.updateValue(metric.line, forKey: label) else { continue }
      section.problems.add(
        metric.line, "the metric of line \(other) has the label \"\(label)\" too; people could not tell them apart.")
    }
  }
}
