import Domain
import Statistics

/// What may stand in the metrics of a job file: which there are, and what each takes.
extension JobKeys {
  static func metricSchema(_ vocabulary: MetricVocabulary) -> JSONSchema {
    let known = vocabulary.all.map { ($0.name, $0.meaning) } + [(MetricVocabulary.quantileName, quantileMeaning)]
    let named = metric.keys.map { key in
      (key.name, key.name == "name" ? JSONSchema.words(meaning: known).described(key.words) : key.schema)
    }
    let own = quantile.keys.map { ($0.name, $0.schema) }
    let accepted = Set((metric.keys + quantile.keys).map(\.name))
    let rules =
      [guardrail] + vocabulary.all.map(rules) + [
        quantileRules(vocabulary.all.filter { $0.kind == .mean && !$0.isSurvival })
      ]
    return JSONSchema.object(
      named + own + options(of: vocabulary).filter { !accepted.contains($0.name) }, needed: ["name"]
    )
    .with("allOf", .list(rules.map(\.json)))
  }

  private static let quantileMeaning = "the value of another metric that a share of users reaches at most"

  /// It needs to be said what would not matter.
  private static let guardrail = JSONSchema.when(
    "guardrail", JSONSchema(["enum": [true, "yes", "on"]]), then: JSONSchema(["required": ["margin"]]))

  /// Every option there is, by key; one that several metrics have in ways of their own may be any of these.
  private static func options(of vocabulary: MetricVocabulary) -> [(name: String, schema: JSONSchema)] {
    var found: [(name: String, meanings: [String], schemas: [JSONSchema])] = []
    for terms in vocabulary.all {
      for option in terms.options {
        for key in option.keys {
          let position = found.firstIndex { $0.name == key }
          if position == nil { found.append((key, [], [])) }
          let index = position ?? found.count - 1
          found[index].meanings.append("`\(terms.name)`: \(option.meaning)")
          if !found[index].schemas.contains(option.value) { found[index].schemas.append(option.value) }
        }
      }
    }
    return found.map { option in
      let schema = option.schemas.count == 1 ? option.schemas[0] : .anything
      return (option.name, schema.described(option.meanings.joined(separator: ". ")))
    }
  }

  /// What one metric takes.
  private static func rules(of terms: MetricTerms) -> JSONSchema {
    let names = metric.keys.map(\.name).filter { terms.accepts($0) } + terms.options.flatMap(\.keys)
    return .when("name", .constant(.text(terms.name)), then: limited(to: names, terms.options))
  }

  /// A quantile takes what the metric takes that it is of, but for what only a mean is judged by.
  private static func quantileRules(_ means: [MetricTerms]) -> JSONSchema {
    let names =
      metric.keys.map(\.name).filter { !["covariate", "stratify", "robust"].contains($0) } + quantile.keys.map(\.name)
      + means.flatMap(\.options).flatMap(\.keys)
    let of = JSONSchema(["properties": ["of": JSONSchema.words(means.map(\.name)).json]])
    let needed = quantile.keys.filter(\.isNeeded).map(\.name)
    return .when(
      "name", .constant(.text(MetricVocabulary.quantileName)),
      then: .all([.onlyNames(names.uniqued), of, JSONSchema(["required": .texts(needed)])]))
  }

  private static func limited(to names: [String], _ options: [any DeclaredOption]) -> JSONSchema {
    let values = options.flatMap { option in option.keys.map { JSON.Member($0, option.value.json) } }
    let needed = options.filter(\.isNeeded).flatMap(\.keys)
    var rule = JSONSchema.onlyNames(names.uniqued)
    if !values.isEmpty { rule = rule.with("properties", .object(values)) }
    return needed.isEmpty ? rule : rule.with("required", .texts(needed))
  }

  // MARK: - What is asked and weighed

  static func questionSchema(_ checks: CheckVocabulary) -> JSONSchema {
    let keys = question.keys.map { key in
      (
        key.name,
        key.name == "checks" ? JSONSchema.names(of: .words(checks.all.map(\.name))).described(key.words) : key.schema
      )
    }
    let answers = ["metrics", "funnels", "tables", "checks"]
    return JSONSchema.object(keys, needed: ["ask"])
      .with("anyOf", .list(answers.map { ["required": [.text($0)]] }))
  }

  /// Shares by the checks that judge one.
  static func levels(_ checks: CheckVocabulary) -> JSONSchema {
    .object(
      checks.all.filter { $0.usualLevel != nil }.map { ($0.name, JSONSchema.number(in: 0...1).described($0.meaning)) },
      needed: [])
  }

  /// Weights by offering and group, or a list of them with the times from which on they hold.
  static var weightsSchema: JSONSchema {
    let weights = JSONSchema.object(ofNames: JSONSchema(["type": "number", "minimum": 0]))
    let phase = JSONSchema([
      "type": "object", "properties": ["from": JSONSchema.time.json], "additionalProperties": weights.json,
    ])
    return .either("array", then: .list(of: phase, atLeast: 1), otherwise: .object(ofNames: weights))
  }
}

extension MetricTerms {
  /// Whether a key that metrics have may be said of it.
  fileprivate func accepts(_ key: String) -> Bool {
    switch key {
    case "window", "covariate": hasWindow
    case "cap": kind != .proportion && !isSurvival
    case "robust": kind == .mean && !isSurvival
    case "stratify": !isSurvival
    default: true
    }
  }
}

extension [String] {
  /// Each once, where it comes first.
  fileprivate var uniqued: [String] { enumerated().filter { firstIndex(of: $0.element) == $0.offset }.map(\.element) }
}
