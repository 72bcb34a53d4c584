import Domain
import Jobs
import Measurement

// MARK: - The metrics of a job

extension MetricWording {
  /// How each of a job's metrics is said: as its `label:` has it, else by its definition, the products it is of and
  /// its window. Those that would be called alike carry their ids.
  static func all(of requests: [MetricRequest], _ definitions: [MetricDefinition]) -> [MetricWording] {
    var wordings = zip(requests, definitions).map { MetricWording($0, $1) }
    let uses = Dictionary(grouping: wordings, by: \.label)
    for (index, request) in requests.enumerated()
    where request.label == nil && uses[wordings[index].label, default: []].count > 1 {
      wordings[index].label += " (\(PrintableText.escaped(request.id)))"
    }
    return wordings
  }

  /// How what stands for a metric is said; nil where nothing does.
  static func perUser(_ request: MetricRequest, _ definition: MetricDefinition) -> MeasuredMetric.PerUser? {
    definition.perUser.map { perUser in
      MeasuredMetric.PerUser(
        kind: perUser.kind,
        wording: MetricWording(request, perUser.wording(request), label: request.label.map { "\($0), per user" }),
        ofThose: perUser.ofThose)
    }
  }

  private init(_ request: MetricRequest, _ definition: MetricDefinition) {
    self.init(request, definition.wording(request), label: request.label)
  }

  /// - Parameters:
  ///   - wording: as the metric's definition has it.
  ///   - label: what the job calls it; nil where it leaves that to the metric.
  private init(_ request: MetricRequest, _ wording: MetricWording, label own: String?) {
    if let own {
      self.init(own)
      return
    }
    self = wording
    if let quantile = request.quantile { self = self.quantile(quantile) }
    if let products = request.filter.words {
      (label, more, less) = ("\(label) with \(products)", "\(more) with \(products)", "\(less) with \(products)")
      noun += " with \(products)"
      seen += " with \(products)"
    }
    if let window = request.windowMilliseconds { label += ", \(Phrase.duration(milliseconds: window))" }
  }

  /// `Median net revenue per user`; where only users with a value above 0 are ranked it says so.
  private func quantile(_ quantile: MetricRequest.Quantile) -> MetricWording {
    let noun = label.prefix(1).lowercased() + label.dropFirst() + (quantile.includesZeros ? "" : " with any")
    let rank = quantile.q == 0.5 ? "median" : "\(Phrase.ordinal(percent: quantile.q)) percentile of"
    var wording = MetricWording("\(rank) \(noun)")
    wording.label = wording.label.prefix(1).uppercased() + wording.label.dropFirst()
    return wording
  }
}

extension MetricRequest {
  /// ` within 7 days`, where the job asks for another time than the usual one; else nothing.
  func unusual(_ within: MetricOption<Int64>) -> String {
    self[within] == within.usual ? "" : " within \(Phrase.duration(milliseconds: self[within]))"
  }
}

extension MetricRequest.ProductFilter {
  /// `weekly_799 and consumable products`; nil where all products count.
  fileprivate var words: String? {
    guard !isEmpty else { return nil }
    let tiers = tiers.map { "products of tier \(PrintableText.escaped($0.text))" }
    let kinds = kinds.map { "\($0.rawValue.replacing("_", with: "-")) products" }
    let all = products.map { PrintableText.escaped($0.text) } + kinds + tiers
    return all.count > Self.named ? "\(all.count) products or kinds of them" : Phrase.list(all)
  }

  /// So many are named.
  private static var named: Int { 3 }
}
