import Domain
import Yams

/// How much the aliases of a text (`*name`) stand for.
///
/// A list of two aliases of a list of two doubles with every line, and where one is a key YAML compares it value by value: a
/// file of a kilobyte may take for ever. So the text is taken apart with its aliases as mere names first, and counted.
enum YAMLAliases {
  /// No job has more values, each alias written out.
  static let mostValues = 100_000

  /// Stands before a name in the place of `*`: a letter that nobody writes.
  private static let mark = Array("\u{e000}".utf8)

  /// Whether the text with all aliases written out has more values than a job may have.
  ///
  /// - Throws: `YamlError` where it is not YAML.
  static func areTooMany(in text: String) throws -> Bool {
    guard let named = named(text) else { return false }
    // What an anchor is called is known as long as the parser is there.
    let parser = try Parser(yaml: named)
    return try withExtendedLifetime(parser) {
      var sizes: [String: Int] = [:]
      return try parser.singleRoot().map { size(of: $0, &sizes) > mostValues } ?? false
    }
  }

  /// The text with its aliases as names; nil where it has none.
  private static func named(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    var named: [UInt8] = []
    var hasAliases = false
    for (position, byte) in bytes.enumerated() {
      let isAlias =
        byte == UInt8(ascii: "*") && (position == 0 || " \t\r\n[{,:?-".utf8.contains(bytes[position - 1]))
      hasAliases = hasAliases || isAlias
      if isAlias { named += mark } else { named.append(byte) }
    }
    return hasAliases ? String(decoding: named, as: UTF8.self) : nil
  }

  /// How many values a node has, and those in it; never much more than the most there may be.
  private static func size(of node: Node, _ sizes: inout [String: Int]) -> Int {
    var size = 1
    switch node {
    case .scalar(let scalar):
      if scalar.string.utf8.starts(with: mark) { size = sizes[String(scalar.string.dropFirst())] ?? 1 }
    case .sequence(let sequence):
      for value in sequence { size = min(size + self.size(of: value, &sizes), mostValues + 1) }
    case .mapping(let mapping):
      for (key, value) in mapping {
        size = min(size + self.size(of: key, &sizes) + self.size(of: value, &sizes), mostValues + 1)
      }
    case .alias: break
    }
    if let anchor = node.anchor { sizes[anchor.rawValue] = size }
    return size
  }
}
