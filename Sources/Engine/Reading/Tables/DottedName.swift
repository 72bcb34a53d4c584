/// The name of a value that may lie inside others: `data.price` is a column or member of that name, else the member
/// `price` of `data`, be that an object or JSON in a text.
package struct DottedName {
  /// Between the dots.
  private let parts: [String]

  /// Of a name with more dots than these only the two plainest readings are tried: as a whole, and dot by dot.
  private static let mostParts = 6

  /// Nil where the name has no dot, or begins or ends with one.
  init?(_ name: String) {
    parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, !parts.contains("") else { return nil }
  }

  /// Every way to read it as a path of nested members but for the name as a whole; names with dots in them come first.
  var paths: [String] { Self.paths(parts).dropFirst().map { SourceField.pathName($0) } }

  /// Every column or member that the value may lie inside, and what it is called there.
  func containers(nested: Bool) -> [(name: String, rest: String)] {
    (1..<parts.count).reversed().flatMap { count -> [(name: String, rest: String)] in
      let rest = parts[count...].joined(separator: ".")
      let names = Self.paths(Array(parts[..<count]))
      return (nested ? names : Array(names.prefix(1))).map { (SourceField.pathName($0), rest) }
    }
  }

  /// Whether one of a file's names may hold the value that goes by a name.
  package static func mayHold(_ name: String, _ names: some Sequence<String>) -> Bool {
    let known = Set(names)
    if known.contains(name) { return true }
    return DottedName(name)?.containers(nested: false).contains { known.contains($0.name) } ?? false
  }

  /// The ways to put parts together again, from all in one to none.
  private static func paths(_ parts: [String]) -> [[String]] {
    guard parts.count <= mostParts else { return [[parts.joined(separator: ".")], parts] }
    guard parts.count > 1 else { return [parts] }
    return (1...parts.count).reversed().flatMap { count -> [[String]] in
      let first = parts[..<count].joined(separator: ".")
      return count == parts.count ? [[first]] : paths(Array(parts[count...])).map { [first] + $0 }
    }
  }
}
