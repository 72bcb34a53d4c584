/// One funnel's users.
package struct FunnelCounts: Sendable, Codable, Equatable {
  /// Users who took the step and all before it, by step.
  package var users: [Int]
  /// Those of them for whom the event that parts users came between the first step and the second.
  package var split: [Int]
  /// Users who took the first step too short a time before the cut-off to be counted.
  package var immature = 0

  package init(users: [Int], split: [Int]? = nil, immature: Int = 0) {
    self.users = users
    self.split = split ?? users.map { _ in 0 }
    self.immature = immature
  }
}
