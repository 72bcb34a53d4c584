import Domain

/// Something that a client may ask for: its name, what it takes, and how it is answered. No tool changes anything.
package struct Tool: Sendable {
  package let name: String
  let title: String
  let meaning: String
  let parameters: [Parameter]
  /// Throws an `OfferliftError`, whose sentence is the answer then.
  let answer: @Sendable (ToolArguments) async throws -> JSON

  /// What a tool takes.
  package struct Parameter: Sendable {
    let name: String
    let meaning: String
    var kind = Kind.text
    var isRequired = false

    package enum Kind: String, Sendable {
      case text = "string"
      case number = "integer"
      case flag = "boolean"
    }

    package init(_ name: String, _ meaning: String, _ kind: Kind = .text, isRequired: Bool = false) {
      (self.name, self.meaning, self.kind, self.isRequired) = (name, meaning, kind, isRequired)
    }
  }

  package init(
    _ name: String, title: String, _ meaning: String, _ parameters: [Parameter] = [],
    answer: @escaping @Sendable (ToolArguments) async throws -> JSON
  ) {
    (self.name, self.title, self.meaning, self.parameters, self.answer) = (name, title, meaning, parameters, answer)
  }

  /// As `tools/list` has it.
  var description: JSON {
    let properties = parameters.map { parameter in
      JSON.Member(
        parameter.name, ["type": .text(parameter.kind.rawValue), "description": .text(parameter.meaning)])
    }
    let required = parameters.filter(\.isRequired).map { JSON.text($0.name) }
    return [
      "name": .text(name), "title": .text(title), "description": .text(meaning),
      "inputSchema": [
        "type": "object", "properties": .object(properties), "required": .list(required), "additionalProperties": false,
      ],
      "annotations": [
        "title": .text(title), "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
        "openWorldHint": false,
      ],
    ]
  }
}

/// What a client gave a tool, held against what the tool takes.
package struct ToolArguments: Sendable {
  private let values: JSON

  /// - Throws: `OfferliftError` 64 where a parameter is unknown, missing or of another kind.
  init(_ values: JSON, of tool: Tool) throws {
    guard case .object(let members) = values else {
      throw OfferliftError(.usage, "\(tool.name): \"arguments\" is an object.")
    }
    let names = tool.parameters.map(\.name)
    if let unknown = members.map(\.name).first(where: { !names.contains($0) }) {
      let known = names.isEmpty ? "it takes none." : hint(for: unknown, among: names)
      throw OfferliftError(.usage, "\(tool.name): there is no argument \"\(unknown)\"; \(known)")
    }
    for parameter in tool.parameters {
      guard let value = values[parameter.name], value != .null else {
        guard !parameter.isRequired else {
          throw OfferliftError(.usage, "\(tool.name): \"\(parameter.name)\" is missing: \(parameter.meaning)")
        }
        continue
      }
      guard parameter.kind.accepts(value) else {
        throw OfferliftError(
          .usage, "\(tool.name): \"\(parameter.name)\" is to be of the type \(parameter.kind.rawValue).")
      }
    }
    self.values = values
  }

  /// Nil where it was not given.
  package func text(_ name: String) -> String? { values[name]?.text }

  package func number(_ name: String) -> Int? {
    guard case .number(let digits) = values[name] else { return nil }
    return Int(digits)
  }

  package func flag(_ name: String) -> Bool? {
    guard case .flag(let flag) = values[name] else { return nil }
    return flag
  }
}

extension Tool.Parameter.Kind {
  fileprivate func accepts(_ value: JSON) -> Bool {
    switch (self, value) {
    case (.text, .text), (.flag, .flag): true
    case (.number, .number(let digits)): Int(digits) != nil
    default: false
    }
  }
}
