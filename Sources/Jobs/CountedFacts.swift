import Domain
import Foundation

extension Job {
  /// What of the job decides what is counted of users, as a text: jobs that agree in it count the same of the same files.
  ///
  /// All of a job does but for what is named here, which only says how counts are compared, called, shown and kept. So a new
  /// key decides what is counted until somebody knows better.
  package var countedFacts: String {
    var job = self
    let usual = Job(name: name, file: file)
    (job.fileChecksum, job.notes, job.questions, job.inspection) = (0, nil, [], usual.inspection)
    (job.confidence, job.decideBy, job.tuning) = (usual.confidence, nil, usual.tuning)
    (job.liftInterval, job.adjust, job.exact, job.prior) = (usual.liftInterval, usual.adjust, usual.exact, nil)
    (job.unitCost, job.warnLevels, job.baseline) = (usual.unitCost, [:], usual.baseline)
    (job.compareSince, job.keepNights, job.keepsExcerpts) = (nil, nil, usual.keepsExcerpts)
    (job.output, job.state, job.canaryDays, job.engine) = (nil, nil, nil, usual.engine)
    for index in job.metrics.indices { job.metrics[index].forgetDecisions() }
    return ReflectedText.text(of: job)
  }
}

extension MetricRequest {
  /// Leaves what is counted. Whether the metric is primary is part of it: changes are followed, and largest values kept, of
  /// such metrics alone.
  fileprivate mutating func forgetDecisions() {
    (label, statedGoal, guardrail, margin) = (nil, nil, false, nil)
  }
}

/// A value and all it is made of as a text that is the same in every process.
///
/// What stands unordered is in the order of its texts. Members that tell where something stands in the job file are left
/// out, for a comment moves them.
private enum ReflectedText {
  private static let places: Set<String> = ["line", "lines", "weightsLine"]

  static func text(of value: Any) -> String {
    if let url = value as? URL { return quoted(url.absoluteString) }
    if let timezone = value as? TimeZone { return quoted(timezone.identifier) }
    if let text = value as? String { return quoted(text) }
    if let id = value as? Identifier { return quoted(id.utf8.map(String.init).joined(separator: " ")) }
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children.filter { !places.contains($0.label ?? "") }
    switch mirror.displayStyle {
    case .dictionary, .set: return "{\(parts.map { text(of: $0.value) }.sorted().joined(separator: ", "))}"
    case .none: return String(describing: value)
    case .enum where mirror.children.isEmpty: return String(reflecting: value)
    default: return "(\(parts.map { "\($0.label ?? ""): \(text(of: $0.value))" }.joined(separator: ", ")))"
    }
  }

  private static func quoted(_ text: String) -> String { String(reflecting: text) }
}
