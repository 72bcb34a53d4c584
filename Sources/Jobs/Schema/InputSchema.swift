import Domain

/// What may stand in the inputs of a job file.
extension JSONSchema {
  /// A table by its path alone, or as a mapping.
  ///
  /// - Parameter fields: names `columns:` may map; nil where any may be.
  static func table(fields: [String]? = nil) -> JSONSchema {
    let mapping = fields.map { JobKeys.tableMapping(fields: $0) } ?? .reference("table")
    return either("string", then: .pattern("\\S"), otherwise: mapping)
  }
}

extension JobKeys {
  /// A table as a mapping.
  static func tableMapping(with others: JobKeys? = nil, fields: [String]? = nil) -> JSONSchema {
    let keys = (input.keys + (others?.keys ?? [])).map { key in
      (key.name, key.name == "columns" ? columns(fields).described(key.words) : key.schema)
    }
    return positioned(.object(keys, needed: [])).with("allOf", .list(TableFormat.allCases.map { rules(of: $0).json }))
  }

  static var assignmentInput: JSONSchema { tableMapping(with: assignments, fields: JobFields.assignments) }

  /// Which column is which, or the columns in order.
  private static func columns(_ fields: [String]?) -> JSONSchema {
    let named = fields.map { JSONSchema.fields($0, value: .nameOrNull) } ?? .object(ofNames: .nameOrNull)
    return .either("array", then: .list(of: .name), otherwise: named)
  }

  /// It has a path or a command, one of the two.
  private static func positioned(_ input: JSONSchema) -> JSONSchema {
    input.with("oneOf", [["required": ["path"]], ["required": ["command"]]])
  }

  /// What holds for tables of a format: nothing that only others have.
  private static func rules(of format: TableFormat) -> JSONSchema {
    // Without a format it is the usual one.
    let condition =
      format == .csv
      ? JSONSchema(["properties": ["format": ["const": .text(format.rawValue)]]])
      : JSONSchema.has("format", .constant(.text(format.rawValue)))
    let foreign = TableFormat.ownKeys.filter { $0.format != format }.map(\.key)
    var rule = JSONSchema(["propertyNames": ["not": JSONSchema.words(foreign).json]])
    switch format {
    case .sqlite: rule = rule.with("oneOf", [["required": ["table"]], ["required": ["query"]]])
    case .mysql:
      let headed = JSONSchema.has("dialect", .has("header", JSONSchema(["enum": [true, "yes", "on"]])))
      rule = rule.with("if", ["not": headed.json])
        .with("then", ["required": ["columns"], "properties": ["columns": ["type": "array"]]])
    case .csv, .jsonl: break
    }
    if format != .mysql { rule = rule.with("properties", ["columns": ["type": "object"]]) }
    return JSONSchema(["if": condition.json, "then": rule.json])
  }

  /// A purchase log: each format takes its own keys.
  static func purchaseInput(_ formats: [PurchaseFormat]) -> JSONSchema {
    let keys = (input.keys + purchases.keys).map { key in
      (key.name, key.name == "format" ? JSONSchema.words(formats.map(\.name)).described(key.words) : key.schema)
    }
    return positioned(.object(keys, needed: ["format"]))
      .with("dependentRequired", .object(verified.map { JSON.Member($0, ["verify"]) }))
      .with("not", ["required": ["types", "types_of"]])
      .with("allOf", .list(formats.map { rules(of: $0).json }))
  }

  /// Keys that ask for `verify: true`.
  private static let verified = ["root", "bundle_id", "environment"]

  private static func rules(of format: PurchaseFormat) -> JSONSchema {
    var rule = JSONSchema.onlyNames(names(of: format))
    var values: [JSON.Member] = []
    if format.keys.contains(.storeUser) {
      values.append(JSON.Member("user", JSONSchema.words(of: NotificationUser.self).json))
    }
    if format.keys.contains(.fields) {
      // Attributes may have any name, and then `columns:` may map them.
      let known: JSONSchema = .fields(EventField.allCases.map(\.name), value: .nameOrNull)
      rule = rule.with("if", ["not": ["required": ["attributes"]], "properties": ["columns": ["type": "object"]]])
        .with("then", ["properties": ["columns": known.json]])
    }
    if !values.isEmpty { rule = rule.with("properties", .object(values)) }
    return .when("format", .constant(.text(format.name)), then: rule)
  }

  /// The keys that an input of the format takes.
  private static func names(of format: PurchaseFormat) -> [String] {
    let foreign = TableFormat.ownKeys.filter { $0.format != format.table }.map(\.key)
    let ofSome = PurchaseFormat.Key.fields.names
    let common = input.keys.map(\.name).filter { !foreign.contains($0) && !ofSome.contains($0) }
    let charges = format.reportsCharges ? ["attributes", "columns"] : []
    let own = PurchaseFormat.Key.allCases.filter(format.keys.contains).flatMap(\.names)
    return common + charges.filter { !own.contains($0) } + own
  }
}

extension TableFormat {
  /// Keys that only files of one format have.
  static let ownKeys: [(key: String, format: TableFormat)] = [
    ("delimiter", .csv), ("dialect", .mysql), ("table", .sqlite), ("query", .sqlite),
  ]
}
