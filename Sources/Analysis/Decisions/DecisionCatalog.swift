import Domain
import Jobs

/// The rules that a test may be decided by.
package struct DecisionCatalog: Sendable {
  /// What decides where nobody says how.
  package let usual: any DecisionRule
  /// The usual one first.
  package let all: [any DecisionRule]

  package init(usual: any DecisionRule, _ others: any DecisionRule...) {
    self.usual = usual
    all = [usual] + others
  }

  /// Those there are.
  package static let product = DecisionCatalog(usual: Sequential(), Fixed(), Planned(), GroupSequential())

  /// Their names and meanings, for the reader of job files.
  package var vocabulary: DecisionVocabulary {
    let terms = { (rule: any DecisionRule) in DecisionTerms(rule.name, rule.words.meaning) }
    return DecisionVocabulary(usual: terms(usual), all.dropFirst().map(terms))
  }

  /// The name of the rule that decides a job: its own, else that of planned ends where it has a plan, else the usual one's.
  package func name(for job: Job) -> String {
    job.decideBy ?? (job.plan == nil ? usual.name : DecisionVocabulary.planned)
  }

  /// The rule of that name.
  package func rule(named name: String) throws(UnknownWord) -> any DecisionRule {
    if let known = all.first(where: { $0.name == name }) { return known }
    throw UnknownWord(name, among: all.map(\.name))
  }

  /// What is to be said of a rule that stored figures name.
  package func words(of name: String) -> DecisionWords {
    all.first { $0.name == name }?.words ?? .unknown(name)
  }
}

// MARK: - Help

extension DecisionCatalog {
  /// `sequential (may be read every night) or fixed`, for the help of `--decide-by`.
  package var choices: String {
    all.map { rule in rule.words.aside.map { "\(rule.name) (\($0))" } ?? rule.name }.joined(separator: " or ")
  }

  /// What `power` says of them: `Says it for both ways to decide: …`
  package var ways: String {
    let ways = all.enumerated().map { index, rule in
      "\(rule.words.manner) (\(index == 0 ? "decide_by: " : "")\(rule.name))"
    }
    let finding = usual.words.finding.map { " Of the first it says \($0)." } ?? ""
    return "Says it for \(all.count == 2 ? "both" : "all") ways to decide: \(Phrase.list(ways)).\(finding)"
  }
}
