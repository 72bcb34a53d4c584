import Domain
import Jobs
import Measurement

/// `similar_groups`: is one group, or one offering, written in several ways, so that its users are measured apart?
struct SimilarGroupsCheck: HealthCheck {
  let terms = CheckTerms(
    "similar_groups",
    "groups of an offering, or offerings, whose names differ by letter case, blanks, hyphens, invisible characters or "
      + "letters that look the same alone: fails")

  /// A row for all spellings of one offering, and of one group.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let offerings = inputs.measurement.offerings
    return similarOfferings(offerings) + offerings.flatMap { similarGroups($0) }
  }

  private func similarOfferings(_ offerings: [OfferingMeasurement]) -> [Check] {
    SimilarNames.groups(offerings.map(\.id)).map { names in
      let listed = Phrase.list(names.map { SimilarNames.quoted($0) })
      return Check(
        offering: nil, name: name, subject: names[0].text, status: .fail, observed: Double(names.count),
        message:
          "The offerings \(listed) look like one that is written in \(names.count) ways, and each is measured by itself. "
          + "Have the assignments name it in one way, or say which are meant: offerings: [\(SimilarNames.quoted(names[0]))]."
      )
    }
  }

  private func similarGroups(_ offering: OfferingMeasurement) -> [Check] {
    SimilarNames.groups(offering.groups.map(\.id)).map { names in
      let alike = offering.groups.filter { names.contains($0.id) }.sorted {
        ($1.assignedUsers, $0.id) < ($0.assignedUsers, $1.id)
      }
      let listed = Phrase.list(
        alike.map { "\(SimilarNames.quoted($0.id)) (\(Phrase.count($0.assignedUsers, "user")))" })
      let others = alike.dropFirst().map { SimilarNames.quoted($0.id) }.joined(separator: ", ")
      return Check(
        offering: offering.id, name: name, subject: "group \(alike[0].id)", status: .fail,
        observed: Double(alike.dropFirst().reduce(0) { $0 + $1.assignedUsers }), expected: 0,
        message:
          "The groups \(listed) look like one that is written in \(alike.count) ways, and each is measured by itself. "
          + "Have the assignments name it in one way, trim(lower(group)), or leave the others out: "
          + "exclude_groups: [\(others)].")
    }
  }
}
