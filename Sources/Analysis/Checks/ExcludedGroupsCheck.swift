import Domain
import Jobs
import Measurement

/// `exclude_groups`: whom does the job leave out because their group is no part of the test?
struct ExcludedGroupsCheck: HealthCheck {
  let terms = CheckTerms(
    "exclude_groups", "says how many users `exclude_groups:` leaves out: warns where nobody is in the groups it names")

  /// A row an offering that somebody is left out of; one for the job where nobody is.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let (offerings, excluded) = (inputs.measurement.offerings, inputs.job.excludedGroups)
    guard !excluded.isEmpty else { return [] }
    let rows = offerings.filter { $0.inExcludedGroups > 0 }.map { row($0, excluded) }
    return rows.isEmpty ? [nobody(excluded, offerings)] : rows
  }

  private func row(_ offering: OfferingMeasurement, _ excluded: ExcludedGroups) -> Check {
    let groups = excluded.everywhere.union(excluded.byOffering[offering.id] ?? []).sorted().map(\.text)
    return Check(
      offering: offering.id, name: name, status: .pass, observed: Double(offering.inExcludedGroups),
      message:
        "\(Phrase.count(offering.inExcludedGroups, "user")) are in no group but \(Phrase.list(groups)) and are left out; "
        + "\(Phrase.count(offering.assignedUsers)) are in the test's groups.",
      figures: ["in_test": Double(offering.assignedUsers)])
  }

  private func nobody(_ excluded: ExcludedGroups, _ offerings: [OfferingMeasurement]) -> Check {
    let named = excluded.byOffering.values.reduce(excluded.everywhere) { $0.union($1) }.sorted().map(\.text)
    let groups = Set(offerings.flatMap { $0.groups.map(\.id.text) }).sorted()
    let nearest = named.lazy.compactMap { nearestName(to: $0, among: groups) }.first
    return Check(
      offering: nil, name: name, status: .warn, observed: 0,
      message:
        "exclude_groups: names \(Phrase.list(named)), and nobody is in a group of that name; the groups are "
        + "\(Phrase.list(groups))\(nearest.map { ". Is \"\($0)\" meant?" } ?? ".")")
  }
}
