import Domain
import Foundation

/// What a file's rows say beside who is in which group.
struct RosterReport: Sendable {
  /// When the first user was assigned, in milliseconds since 1970; nil where nobody was.
  var first: Int64?
  /// The groups that rows name, by offering, whatever becomes of the rows.
  var groups: [Identifier: Set<Identifier>] = [:]
  /// By the line of the job file that names the input the attributes that rows tell.
  var attributes: [Int: Set<String>] = [:]
}

extension RosterReport: Codable {
  private enum CodingKeys: CodingKey { case first, groups, attributes }

  /// A group as bytes: texts are compared otherwise than identifiers are.
  private struct Group: Codable {
    var offering: Data
    var group: Data
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    first = try values.decodeIfPresent(Int64.self, forKey: .first)
    // Every night since then has its sums.
    let day = Instant.millisecondsPerDay
    guard (TimeText.earliest - day...TimeText.latest + day).contains(first ?? 0) else {
      throw DecodingError.misplaced("a user assigned at \(first ?? 0)", decoder)
    }
    attributes = try values.decode([Int: Set<String>].self, forKey: .attributes)
    for reported in try values.decode([Group].self, forKey: .groups) {
      groups[Identifier(utf8: reported.offering), default: []].insert(Identifier(utf8: reported.group))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(first, forKey: .first)
    try values.encode(attributes, forKey: .attributes)
    let reported = groups.flatMap { offering, groups in
      groups.map { Group(offering: Data(offering.utf8), group: Data($0.utf8)) }
    }
    try values.encode(reported, forKey: .groups)
  }
}
