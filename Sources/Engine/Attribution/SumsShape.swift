import Measurement

/// What the sums of a run are as long as, and which numbers in them stand for a name: sums of another process must have
/// the same.
struct SumsShape: Sendable {
  /// How many files the log has.
  let files: Int
  /// How many inputs those are of.
  let inputs: Int
  /// How many files tell who is in which group; 0 where nothing is told since an earlier night.
  let assignmentFiles: Int
  /// How many nights are looked back on.
  let nights: Int
  let metrics: Int
  /// Metrics that are followed since an earlier night.
  let followedMetrics: Int
  /// By way in which users are parted (the attributes, then phases and days of assignment) how many values have names; nil
  /// where values have none.
  let splits: [Int?]
  let offerings: Int
  let groups: Int
  let products: Int
  let eventTypes: Int
  /// Codes that events carry.
  let codes: Int
  /// By attribute of charges how many values have names.
  let chargeValues: [Int]
  /// By funnel how many steps it has.
  let funnels: [Int]

  func knows(_ pair: InputPair) -> Bool { pair.first < pair.second && pair.second < inputs }

  func knows(product: UInt32) -> Bool { product < products }

  func knows(offering: UInt32) -> Bool { offering < offerings }

  func knows(group: UInt32) -> Bool { group < groups }

  func knows(_ key: GroupKey) -> Bool { knows(offering: key.offering) && knows(group: key.group) }

  func knows(value: UInt32, of split: Int) -> Bool {
    guard splits.indices.contains(split) else { return false }
    guard let named = splits[split] else { return true }
    return value == Interner.none || value < named
  }

  func knows(chargeValue value: UInt32, of attribute: Int) -> Bool {
    value == Interner.none || value < chargeValues[attribute]
  }

  func knows(_ type: EventType) -> Bool { type.code < eventTypes }

  func knows(code: UInt32) -> Bool { code == Interner.none || code < codes }
}

extension CodingUserInfoKey {
  /// The `SumsShape` of the run that what is decoded belongs to.
  static let shape = CodingUserInfoKey(rawValue: "shape")!
}

extension DecodingError {
  /// Something is told of a place that there is not.
  static func misplaced(_ what: String, _ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(Context(codingPath: decoder.codingPath, debugDescription: "\(what), which there cannot be"))
  }
}
