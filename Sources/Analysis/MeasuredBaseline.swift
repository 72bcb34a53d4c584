import Domain
import Jobs
import Measurement

extension BaselineRule {
  /// The group every other one of an offering is held against; nil where nobody of it is measured, so that nothing is
  /// compared.
  ///
  /// The rule names one: a run whose rule does not has ended before.
  func baseline(measuredIn offering: OfferingMeasurement) -> Identifier? {
    let groups = offering.groups.map(\.id).sorted()
    return baseline(of: offering.id, among: groups).flatMap { groups.contains($0) ? $0 : nil }
  }
}
