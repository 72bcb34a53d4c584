import Engine

/// Objects that hold the rows of a log in one of their members, as tools that load data write them: `_airbyte_data`.
extension FileLook {
  /// A member in which the rows stand.
  struct Wrapper: Equatable {
    let name: String
    /// The rows are JSON within a text.
    let isText: Bool

    /// As jq has it.
    var member: String {
      let isPlain = name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (97...122).contains($0 | 0x20) }
      return isPlain ? ".\(name)" : ".[\"\(name)\"]"
    }
  }

  /// The member that has, in every line that was looked at, some of the members that a row needs, where none of them stands
  /// beside it; nil where there is no such one.
  func wrapper(of needed: [String]) -> Wrapper? {
    guard !needed.isEmpty, !needed.contains(where: { $0.contains(".") }) else { return nil }
    let found = objects.map { Self.wrapper(of: Set(needed), in: $0) }
    guard let first = found.first ?? nil, found.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  private static func wrapper(of needed: Set<String>, in object: [UInt8]) -> Wrapper? {
    let object = ObjectMembers(object)
    guard needed.isDisjoint(with: object.names) else { return nil }
    for (name, value) in zip(object.names, object.values) {
      let isText = value.first == UInt8(ascii: "\"")
      let inner = ObjectMembers(isText ? unescaped(value) : value)
      if !needed.isDisjoint(with: inner.names) { return Wrapper(name: name, isText: isText) }
    }
    return nil
  }

  /// Some of these members are objects that say of what type a value is, as MongoDB exports them: `{"$date": "2026-…"}`.
  func hasTypedValues(in needed: [String]) -> Bool {
    objects.map { ObjectMembers($0) }.contains { object in
      zip(object.names, object.values).contains { name, value in
        guard needed.contains(name) else { return false }
        let members = ObjectMembers(value).names
        return members.count == 1 && members[0].hasPrefix("$")
      }
    }
  }

  /// What a text in JSON says, as far as finding names in it takes.
  private static func unescaped(_ text: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    var isEscaped = false
    for byte in text.dropFirst() {
      if byte == UInt8(ascii: "\\"), !isEscaped {
        isEscaped = true
      } else {
        if byte == UInt8(ascii: "\""), !isEscaped { break }
        plain.append(byte)
        isEscaped = false
      }
    }
    return plain
  }
}
