import Domain

/// The members of an object in a JSON file, in order: how each is called, what it holds, and how it is written of a record.
///
/// A file and its schema are made of one list, so that neither says what the other does not.
struct DocumentMembers<Record> {
  let all: [Member]

  struct Member {
    let name: String
    let schema: JSONSchema
    let json: (Record) -> JSON

    /// - Parameter meaning: what people are told of it, with its unit.
    init(_ name: String, _ meaning: String, _ schema: JSONSchema, _ json: @escaping (Record) -> JSON) {
      self.name = name
      self.schema = schema.described(meaning)
      self.json = json
    }
  }

  init(_ all: [Member]) {
    self.all = all
  }

  /// What is written of a record: every member, null where it has no value.
  func object(of record: Record) -> JSON { .object(all.map { JSON.Member($0.name, $0.json(record)) }) }

  /// What such objects hold: all of the members and no others.
  var schema: JSONSchema { .object(all.map { ($0.name, $0.schema) }) }
}

extension DocumentMembers.Member {
  /// An object of members of its own.
  static func object<Part>(
    _ name: String, _ meaning: String, _ members: DocumentMembers<Part>, _ part: @escaping (Record) -> Part
  ) -> Self {
    Self(name, meaning, members.schema) { members.object(of: part($0)) }
  }

  /// A list of such objects.
  static func list<Part>(
    _ name: String, _ meaning: String, of members: DocumentMembers<Part>, _ parts: @escaping (Record) -> [Part]
  ) -> Self {
    Self(name, meaning, .list(of: members.schema)) { .list(parts($0).map(members.object)) }
  }

  /// What a member of part of a record tells.
  func of<Whole>(_ part: @escaping (Whole) -> Record) -> DocumentMembers<Whole>.Member {
    DocumentMembers<Whole>.Member(name: name, schema: schema) { json(part($0)) }
  }

  private init(name: String, schema: JSONSchema, json: @escaping (Record) -> JSON) {
    (self.name, self.schema, self.json) = (name, schema, json)
  }
}

extension TableColumn {
  /// The members that a table's column is, or two of an interval: they are called, typed and explained as there.
  ///
  /// - Parameters:
  ///   - words: what may stand there, where its texts are a closed set.
  ///   - isNeeded: it is never without a value.
  func members(
    _ words: [String]? = nil, isNeeded: Bool = false
  ) -> [DocumentMembers<Record>.Member] {
    writers.map { writer in
      let (column, schema) = (writer.column, words.map(JSONSchema.words) ?? writer.column.type.schema)
      return DocumentMembers<Record>.Member(
        column.name, column.meaning, isNeeded || column.isKey ? schema : schema.orNull
      ) { JSON(writer.cell($0, TableScope())) }
    }
  }
}

extension Table.ColumnType {
  /// What a cell of the type is in JSON.
  var schema: JSONSchema {
    switch self {
    case .text: .text
    case .flag: .flag
    case .integer, .sum: .whole
    case .real, .amount: .number
    case .date: .date
    case .instant: .instant
    }
  }
}

extension JSON {
  /// A table's cell; nothing is null.
  init(_ cell: Table.Cell) {
    self =
      switch cell {
      case .text(let text): .text(text)
      case .flag(let flag): .flag(flag)
      case .integer(let number): .whole(number)
      case .real(let number): .number(NumberText.real(number))
      case .micros(let micros): .number(NumberText.micros(micros))
      case .empty: .null
      }
  }

  /// A number; null where there is none, or it is not finite.
  static func real(_ number: Double?) -> JSON {
    number.flatMap { $0.isFinite ? .number(NumberText.real($0)) : nil } ?? .null
  }

  static func whole(orNull number: Int?) -> JSON { number.map(JSON.whole) ?? .null }
}
