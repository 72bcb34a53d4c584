import Domain

/// A key of its own that a metric takes in a job file: how its value is read, and what is refused.
///
/// The metric's file declares it, lists it among the metric's options, and reads the value back from the request:
///
///     private static let grace = MetricOption.duration("grace", minimum: 0)
///     … context.request[grace]
package struct MetricOption<Value: Sendable>: DeclaredOption {
  package let key: String
  package let keys: [String]
  package let meaning: String
  package let value: JSONSchema
  package let isNeeded: Bool
  /// Where the job says nothing, or what is refused.
  package let usual: Value
  /// The event types that a value names.
  let eventTypes: @Sendable (Value) -> [String]
  private let read: @Sendable (_ section: YAMLSection, _ metric: String) -> Value?

  /// - Parameters:
  ///   - keys: the keys that say it, where they are not `key`.
  ///   - value: what may stand there, for editors.
  ///   - isNeeded: a job must say it.
  ///   - read: takes the value from the metric's keys and reports what cannot be; nil where there is none.
  package init(
    _ key: String, says keys: [String]? = nil, _ meaning: String, _ value: JSONSchema, isNeeded: Bool = false,
    usual: Value,
    eventTypes: @escaping @Sendable (Value) -> [String] = { _ in [] },
    read: @escaping @Sendable (_ section: YAMLSection, _ metric: String) -> Value?
  ) {
    self.key = key
    self.keys = keys ?? [key]
    self.meaning = meaning
    self.value = value
    self.isNeeded = isNeeded
    self.usual = usual
    self.eventTypes = eventTypes
    self.read = read
  }

  package func read(_ section: YAMLSection, _ metric: String, into request: inout MetricRequest) {
    if let value = read(section, metric) { request[self] = value }
  }
}

/// An option, whatever the type of its value.
package protocol DeclaredOption: Sendable {
  /// The key, or of an option that is said in several ways a name for them all.
  var key: String { get }
  /// The keys that say it.
  var keys: [String] { get }
  /// What it asks for, in a few words.
  var meaning: String { get }
  /// What may stand there, for editors.
  var value: JSONSchema { get }
  /// A job must say it.
  var isNeeded: Bool { get }
  /// Takes its value from a metric of the job file.
  func read(_ section: YAMLSection, _ metric: String, into request: inout MetricRequest)
}

extension MetricOption<Bool> {
  /// `key: true`.
  package static func flag(_ key: String, _ meaning: String) -> MetricOption {
    MetricOption(key, meaning, .yesOrNo, usual: false) { section, _ in section.flag(key) }
  }
}

extension MetricOption<Int> {
  /// A whole number from `minimum`.
  package static func whole(_ key: String, _ meaning: String, minimum: Int, usual: Int) -> MetricOption {
    MetricOption(key, meaning, .whole(from: minimum), usual: usual) { section, _ in section.whole(key, minimum: minimum)
    }
  }
}

extension MetricOption<Int64> {
  /// A length of time, in milliseconds.
  package static func duration(_ key: String, _ meaning: String, usual: Int64) -> MetricOption {
    MetricOption(key, meaning, .length(), usual: usual) { section, _ in section.duration(key) }
  }
}

extension MetricOption<Int64?> {
  /// A length of time of so many units or more, in milliseconds; nil where the job says none.
  package static func duration(_ key: String, _ meaning: String, minimum: Int64) -> MetricOption {
    MetricOption(key, meaning, .length(minimum: minimum), usual: nil) { section, _ in
      section.duration(key, minimum: minimum)
    }
  }
}

extension MetricOption<String> {
  /// An event type that must be named.
  package static func eventType(_ key: String, _ meaning: String) -> MetricOption {
    MetricOption(
      key, meaning, .name, isNeeded: true, usual: "", eventTypes: { [$0] },
      read: { section, _ in section.required(key) })
  }
}

extension MetricOption<[String]> {
  /// One event type or a list of them, each once; one must be named.
  package static func eventTypes(_ key: String, _ meaning: String) -> MetricOption {
    MetricOption(key, meaning, .names, isNeeded: true, usual: [], eventTypes: \.self) { section, metric in
      let types = section.texts(key) ?? []
      if types.isEmpty {
        section.problems.add(section.line, "\(metric) needs \(key):, one event type or several.")
      }
      return types.enumerated().filter { types.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }
  }
}
