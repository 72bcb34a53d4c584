import Foundation
import Testing

/// One expected value, as the Python beside the JSON computed it.
struct OracleCase: Decodable, CustomStringConvertible {
  let function: String
  let arguments: JSON
  let value: JSON

  var description: String { "\(function)\(arguments) = \(value)" }

  /// The arguments as plain numbers.
  var numbers: [Double] { arguments.numbers }

  /// All cases of a file in `Tests/Oracles`.
  static func all(_ name: String) throws -> [OracleCase] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: folder.appending(path: "Oracles/\(name).json"))
    return try JSONDecoder().decode([OracleCase].self, from: data)
  }
}

/// Any JSON value, read by what is asked of it.
indirect enum JSON: Decodable, CustomStringConvertible {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .flag(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  var description: String {
    switch self {
    case .null: "nil"
    case .flag(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let value): value
    case .list(let values): "\(values)"
    case .object(let values): "\(values)"
    }
  }

  var double: Double? { if case .number(let value) = self { value } else { nil } }
  var string: String? { if case .text(let value) = self { value } else { nil } }
  var list: [JSON] { if case .list(let values) = self { values } else { [] } }
  var numbers: [Double] { list.compactMap(\.double) }
  var integers: [Int] { numbers.map { Int($0) } }
  var isNull: Bool { if case .null = self { true } else { false } }

  subscript(_ key: String) -> JSON {
    if case .object(let values) = self { values[key] ?? .null } else { .null }
  }
}

/// |actual − expected| relative to the expected value; infinite where only one of them is missing.
func relativeError(_ actual: Double?, _ expected: Double?) -> Double {
  guard let actual, let expected else { return actual == nil && expected == nil ? 0 : .infinity }
  if actual == expected { return 0 }
  return abs(actual - expected) / abs(expected)
}

/// Expects two numbers, or two absences, to agree to a relative tolerance.
func expectEqual(
  _ actual: Double?,
  _ expected: Double?,
  within tolerance: Double,
  absolute: Double = 0,
  _ what: @autoclosure () -> String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let error = relativeError(actual, expected)
  let isClose = error <= tolerance || abs((actual ?? .nan) - (expected ?? .nan)) <= absolute
  if !isClose {
    let pair = [actual, expected].map { $0.map { "\($0)" } ?? "nil" }
    let message = "\(what()): \(pair[0]) instead of \(pair[1]), off by \(error)"
    Issue.record(Comment(rawValue: message), sourceLocation: sourceLocation)
  }
}

/// Expects a flag that a mutating call returned; `#expect` itself takes no mutating calls.
func expectFlag(_ flag: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(flag, sourceLocation: sourceLocation)
}
