/// What may stand in a JSON or YAML file, in the words of JSON Schema, draft 2020-12.
///
/// It is put together of the catalogues that readers and writers go by: whoever adds to those adds to it.
/// Source: json-schema.org/draft/2020-12, "JSON Schema Core" and "JSON Schema Validation".
package struct JSONSchema: Sendable, Hashable {
  private var members: [JSON.Member]

  private init(_ members: [JSON.Member]) { self.members = members }

  package init(_ members: KeyValuePairs<String, JSON> = [:]) {
    self.init(members.map { JSON.Member($0.key, $0.value) })
  }

  /// The schema as it stands in a file.
  package var json: JSON { .object(members) }

  /// The same that also asks this.
  package func with(_ name: String, _ value: JSON) -> JSONSchema {
    JSONSchema(members.filter { $0.name != name } + [JSON.Member(name, value)])
  }

  /// The same with what people are told of it.
  package func described(_ text: String) -> JSONSchema {
    JSONSchema([JSON.Member("description", .text(text))] + members.filter { $0.name != "description" })
  }

  /// A whole document's schema.
  ///
  /// - Parameter name: the document's kind and version, `verdict:1`.
  package func document(_ name: String, title: String) -> JSONSchema {
    let head: [JSON.Member] = [
      JSON.Member("$schema", "https://json-schema.org/draft/2020-12/schema"),
      JSON.Member("$id", .text("urn:offerlift:schema:\(name)")), JSON.Member("title", .text(title)),
    ]
    return JSONSchema(head + members)
  }
}

// MARK: - Single values

extension JSONSchema {
  package static let anything = JSONSchema()
  package static let text = JSONSchema(["type": "string"])
  package static let flag = JSONSchema(["type": "boolean"])
  package static let number = JSONSchema(["type": "number"])
  package static let whole = JSONSchema(["type": "integer"])
  package static let instant = JSONSchema(["type": "string", "format": "date-time"])
  package static let date = pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")

  package static func pattern(_ pattern: String) -> JSONSchema {
    JSONSchema(["type": "string", "pattern": .text(pattern)])
  }

  package static func whole(from minimum: Int) -> JSONSchema {
    JSONSchema(["type": "integer", "minimum": .whole(minimum)])
  }

  package static func constant(_ value: JSON) -> JSONSchema { JSONSchema(["const": value]) }

  /// One of these words; null is a word of its own.
  package static func words(_ words: [String]) -> JSONSchema { JSONSchema(["enum": .texts(words)]) }

  package static func words<Words: CaseIterable & RawRepresentable<String>>(of type: Words.Type) -> JSONSchema {
    words(type.allCases.map(\.rawValue))
  }

  /// One of these words, each with its meaning: editors show them beside what they complete.
  package static func words(meaning words: [(name: String, meaning: String)]) -> JSONSchema {
    .words(words.map(\.name)).with("enumDescriptions", .texts(words.map(\.meaning)))
  }

  /// The same, or null.
  package var orNull: JSONSchema {
    JSONSchema(
      members.map { member in
        switch (member.name, member.value) {
        case ("type", .text(let type)): JSON.Member("type", .texts([type, "null"]))
        case ("enum", .list(let words)): JSON.Member("enum", .list(words + [.null]))
        default: member
        }
      })
  }
}

// MARK: - What holds others

extension JSONSchema {
  package static func list(of item: JSONSchema, atLeast: Int = 0) -> JSONSchema {
    let list = JSONSchema(["type": "array", "items": item.json])
    return atLeast > 0 ? list.with("minItems", .whole(atLeast)) : list
  }

  /// An object of these members and no others.
  ///
  /// - Parameter needed: the names of those that must be there; nil is all.
  package static func object(_ members: [(name: String, schema: JSONSchema)], needed: [String]? = nil) -> JSONSchema {
    let object = JSONSchema([
      "type": "object", "properties": .object(members.map { JSON.Member($0.name, $0.schema.json) }),
      "additionalProperties": false,
    ])
    let needed = needed ?? members.map(\.name)
    return needed.isEmpty ? object : object.with("required", .texts(needed))
  }

  /// An object whose members have names that nobody knows beforehand.
  package static func object(ofNames value: JSONSchema) -> JSONSchema {
    JSONSchema(["type": "object", "additionalProperties": value.json])
  }

  package static func any(_ choices: [JSONSchema]) -> JSONSchema {
    JSONSchema(["anyOf": .list(choices.map(\.json))])
  }

  package static func all(_ schemas: [JSONSchema]) -> JSONSchema {
    JSONSchema(["allOf": .list(schemas.map(\.json))])
  }

  package static func reference(_ name: String) -> JSONSchema { JSONSchema(["$ref": .text("#/$defs/\(name)")]) }

  /// The same with schemas that it refers to.
  package func defining(_ schemas: [(name: String, schema: JSONSchema)]) -> JSONSchema {
    with("$defs", .object(schemas.map { JSON.Member($0.name, $0.schema.json) }))
  }

  /// What an object must hold besides where one of its members says this.
  package static func when(_ member: String, _ condition: JSONSchema, then rule: JSONSchema) -> JSONSchema {
    JSONSchema(["if": Self.has(member, condition).json, "then": rule.json])
  }

  /// An object that has such a member.
  package static func has(_ member: String, _ value: JSONSchema) -> JSONSchema {
    JSONSchema([
      "properties": .object([JSON.Member(member, value.json)]), "required": .texts([member]),
    ])
  }

  /// An object that has none but these members.
  package static func onlyNames(_ names: [String]) -> JSONSchema {
    JSONSchema(["propertyNames": JSONSchema.words(names).json])
  }
}
