/// A value of a published case, read by what is asked of it.
indirect enum PublishedValue: Decodable, Sendable {
  case null
  case number(Double)
  case text(String)
  case list([PublishedValue])
  case object([String: PublishedValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([PublishedValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: PublishedValue].self))
    }
  }

  var double: Double? { if case .number(let value) = self { value } else { nil } }
  var string: String? { if case .text(let value) = self { value } else { nil } }
  var list: [PublishedValue] { if case .list(let values) = self { values } else { [] } }
  var numbers: [Double] { list.compactMap(\.double) }
  var integers: [Int] { numbers.map { Int($0) } }
  var isNull: Bool { if case .null = self { true } else { false } }

  subscript(_ key: String) -> PublishedValue {
    if case .object(let values) = self { values[key] ?? .null } else { .null }
  }
}
