import Domain
import Jobs
import Statistics

/// Options of the command line that take one of a few words.
enum OptionWord {
  /// The word typed; nil where none was.
  ///
  /// - Throws: `OfferliftError` 64 that lists the words there are.
  static func parsed<Word: RawRepresentable<String> & CaseIterable>(_ text: String?, _ option: String) throws -> Word? {
    try read(text, option) { (text) throws(UnknownWord) in try Word(word: text) }
  }

  /// The rule typed; nil where none was.
  ///
  /// - Throws: `OfferliftError` 64 that lists the rules there are.
  static func rule(
    _ text: String?, _ option: String, among rules: DecisionCatalog
  ) throws -> (any DecisionRule)? {
    try read(text, option) { (text) throws(UnknownWord) in try rules.rule(named: text) }
  }

  private static func read<Meaning>(
    _ text: String?, _ option: String, as meaning: (String) throws(UnknownWord) -> Meaning
  ) throws -> Meaning? {
    guard let text else { return nil }
    do throws(UnknownWord) {
      return try meaning(text)
    } catch {
      throw OfferliftError(.usage, "\(option) \(error.sentence)")
    }
  }
}

extension LookSchedule {
  /// What `--looks` and `--spending` say over a job's own; nil where neither says anything.
  ///
  /// - Throws: `OfferliftError` 64 saying what to type instead.
  init?(_ looks: String?, spending: String?, over usual: LookSchedule?) throws {
    func read<Value>(_ option: String, _ value: () throws(Problem) -> Value) throws -> Value {
      do throws(Problem) {
        return try value()
      } catch {
        throw OfferliftError(.usage, "\(option): \(error.sentence)")
      }
    }
    let typed = try looks.map { text in
      try read("--looks") { () throws(Problem) in
        try LookSchedule(text.split(separator: ",").map { String($0.filter { $0 != " " }) })
      }
    }
    guard var schedule = typed ?? usual else {
      guard spending == nil else {
        throw OfferliftError(.usage, "--spending needs --looks; type --looks 0.25,0.5,0.75,1, say.")
      }
      return nil
    }
    if let spending {
      schedule.spending = try read("--spending") { () throws(Problem) in try SpendingFunction(word: spending) }
    }
    self = schedule
  }
}
