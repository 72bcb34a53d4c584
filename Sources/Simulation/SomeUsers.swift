import Jobs
import Yams

extension Scenario {
  /// The user's value of each attribute, in the order of `attributes`; the same in everything that tells of the user.
  func attributes(of user: UInt32) -> [String] {
    var draws = SeededGenerator(seed: seed, stream: .attributes, index: UInt64(user) | 1 << 40)
    return attributes.map { $0.values.value(at: draws.part()) ?? "" }
  }
}

/// Users by their attributes, `{store: google_play}`: those who have each of the values; all where none is named.
struct SomeUsers: Sendable {
  /// By the place of an attribute among the scenario's.
  private var values: [Int: String] = [:]

  /// Everybody.
  init() {}

  /// Reads attributes and values; those that the scenario does not have are reported.
  init(_ section: YAMLSection?, _ scenario: Scenario) {
    guard let section else { return }
    for entry in section.entries {
      let value = section.words(entry.key)
      guard let position = scenario.attributes.firstIndex(where: { $0.name == entry.key }) else {
        let known = scenario.attributes.map(\.name).joined(separator: ", ")
        section.problem(
          entry.key, "none of the scenario's attributes has this name; it has \(known.isEmpty ? "none" : known).")
        continue
      }
      let known = scenario.attributes[position].values.entries.map(\.value)
      if !known.contains(value) {
        section.problem(entry.key, "\"\(value)\" is none of \(known.joined(separator: ", ")).")
      }
      values[position] = value
    }
    section.finish()
  }

  func include(_ user: UInt32, of scenario: Scenario) -> Bool {
    if values.isEmpty { return true }
    let own = scenario.attributes(of: user)
    return values.allSatisfy { own[$0.key] == $0.value }
  }
}
