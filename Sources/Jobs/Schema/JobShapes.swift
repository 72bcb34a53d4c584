import Domain

/// What the values of a job file may be, for editors: the reader takes all of these, and more where YAML says the same in
/// several ways.
extension JSONSchema {
  /// A name or text of the owner's; YAML takes `007` for a number, and `no` for a flag.
  package static let name = JSONSchema(["type": ["string", "number", "boolean"]])

  /// The same, or nothing.
  static let nameOrNull = JSONSchema(["type": ["string", "number", "boolean", "null"]])

  /// A name, or a list of names.
  package static let names = names(of: .name)

  static func names(of name: JSONSchema) -> JSONSchema {
    either("array", then: .list(of: name), otherwise: name)
  }

  /// A mapping, or a list of one or more of them.
  static func listed(_ item: JSONSchema) -> JSONSchema {
    either("array", then: .list(of: item, atLeast: 1), otherwise: item)
  }

  /// One schema for values of a type, another for all else; unlike a choice of the two it says what is wrong with which.
  static func either(_ type: JSON, then schema: JSONSchema, otherwise other: JSONSchema) -> JSONSchema {
    JSONSchema(["if": ["type": type], "then": schema.json, "else": other.json])
  }

  /// As YAML writes it.
  package static let yesOrNo = JSONSchema(["enum": [true, false, "yes", "no", "on", "off"]])

  static func number(in range: ClosedRange<Double>) -> JSONSchema {
    JSONSchema(["type": "number", "minimum": .digits(range.lowerBound), "maximum": .digits(range.upperBound)])
  }

  static func whole(in range: ClosedRange<Int>) -> JSONSchema {
    .whole(from: range.lowerBound).with("maximum", .whole(range.upperBound))
  }

  /// A length of time of so many units or more, or a word that stands for none.
  package static func length(minimum: Int64 = 1, or word: String? = nil) -> JSONSchema {
    let digits = minimum > 0 ? "0*[1-9][0-9]*" : "[0-9]+"
    let length = "\(digits)[\(JobDuration.unitNames)]"
    return .pattern(word.map { "^(\($0)|\(length))$" } ?? "^\(length)$")
  }

  /// A date, or a date with a time; a bare number counts seconds since 1970.
  static let time = JSONSchema(["type": ["string", "number"], "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}|^[0-9.]+$"])

  /// A length of the calendar as stores write it, `P14D`.
  static let period = pattern("^P(?=.*[1-9])([0-9]{1,5}Y)?([0-9]{1,5}M)?([0-9]{1,5}W)?([0-9]{1,5}D)?$")

  static let zone = pattern("^[A-Za-z][A-Za-z0-9_+/:-]*$")

  /// One character of one byte, an escape such as `\t`, or an empty text for no character.
  static let byte = pattern(#"^(tab|\\[tnr0\\]|[\s\S])?$"#)

  /// One line that fits over a column.
  static let label = JSONSchema(["type": ["string", "number"], "maxLength": .whole(JobLimits.labelCharacters)])

  /// A mapping of some of these names to names of the owner's.
  static func fields(_ names: [String], value: JSONSchema = .name) -> JSONSchema {
    .object(names.map { ($0, value) }, needed: [])
  }

  /// `{column: value}`, `{column: [value, value]}`; null is no value.
  static let skipRules = object(ofNames: names(of: .nameOrNull))

  static let cap = object(
    [("percentile", number(in: 0.000_001...100)), ("value", JSONSchema(["type": "number"]))], needed: []
  ).with("minProperties", 1)

  static let productFilter = object(
    (JobFields.products + JobFields.tiers).map { ($0, .names) }
      + JobFields.kinds.map { ($0, names(of: .words(of: ProductKind.self))) }, needed: []
  ).with("minProperties", 1)

  /// Event types, lists of them, or `{event: …, only: [group]}`.
  static var steps: JSONSchema {
    let step = either(
      "object", then: .object([("event", .names), ("only", .names)], needed: ["event"]), otherwise: .names)
    return either("array", then: .list(of: step, atLeast: 1), otherwise: step)
  }
}

extension JSON {
  /// A number as the shortest digits that say it.
  static func digits(_ number: Double) -> JSON {
    let text = number.description
    return .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }
}

/// Within which bounds the numbers of a job must lie.
enum JobLimits {
  static let confidence = 0.5...0.9999
  static let tuning = 1...1e12
  /// Of all groups of a test.
  static let plannedUsers = 4...1_000_000_000
  static let priorMean = -1e6...1e6
  static let priorDeviation = 1e-9...1e6
  static let unitCost = 0...1e9
  /// A share that is neither nothing nor all.
  static let share = 0.000_001...0.999_999
  /// So many characters fit over a column and into a sentence.
  static let labelCharacters = 60
}

/// The names of fields that mappings of a job may have.
enum JobFields {
  static let assignments = ["user", "offering", "group", "assigned_at"]
  /// Those a job may say for a whole file.
  static let assignmentDefaults = ["offering", "group"]
  static let identities = ["alias", "user"]
  /// Of stored answers of the server: which call it was, and what was answered.
  static let responses = ["endpoint", "response"]
  /// Which charges a metric counts, each in its spellings.
  static let products = ["products", "product", "product_ids", "product_id"]
  static let tiers = ["tiers", "tier"]
  static let kinds = ["kinds", "kind"]
}

/// What an input of assignments names offerings and groups by.
enum AssignmentKeys: String, CaseIterable { case names, catalog }

/// What a log's prices count.
enum PriceUnit: String, CaseIterable { case major, minor }

/// What a charge of a negative amount is.
enum NegativePrice: String, CaseIterable { case refund }

/// What becomes of users whose window has not ended.
enum Immature: String, CaseIterable { case exclude, include }
