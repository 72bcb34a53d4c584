import Domain

extension JobReader {
  /// Reads what the owner asks, once metrics and funnels are known.
  static func readQuestions(_ section: YAMLSection, _ checks: CheckVocabulary, _ job: inout Job) {
    job.questions = section.sections("questions").compactMap { question($0, checks, job) }
  }

  private static func question(_ section: YAMLSection, _ checks: CheckVocabulary, _ job: Job) -> Question? {
    guard let text = section.required("ask") else { return nil }
    var question = Question(text: text)
    question.metrics = known(section, "metrics", among: job.metrics.map(\.id))
    question.funnels = known(section, "funnels", among: job.funnels.map(\.name))
    question.tables = known(section, "tables", among: Question.AnswerTable.allCases.map(\.rawValue))
      .compactMap { Question.AnswerTable(rawValue: $0) }
    question.checks = (section.texts("checks") ?? []).filter { name in
      guard let problem = checks.problem(name: name) else { return true }
      section.problem("checks", problem)
      return false
    }
    section.finish()
    if question.tables.contains(.outside), !job.countsOutside {
      section.problem("tables", "outside needs outside: true in the job; users in no offering are not counted else.")
    }
    if ["metrics", "funnels", "tables", "checks"].allSatisfy({ section.isEmpty($0) }) {
      section.problem("ask", "name the metrics:, funnels:, tables: or checks: that answer it.")
    }
    return question
  }

  /// The names under `key`; one that is nowhere in the job is a problem.
  private static func known(_ section: YAMLSection, _ key: String, among names: [String]) -> [String] {
    (section.texts(key) ?? []).filter { name in
      if names.contains(name) { return true }
      let remedy = names.isEmpty ? "the job has none." : hint(for: name, among: names)
      section.problem(key, "there is no \"\(name)\"; \(remedy)")
      return false
    }
  }
}
