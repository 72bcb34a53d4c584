import Domain
import Foundation

/// Who measures a job.
extension JobReader {
  /// `engine: spark` alone takes everything as usual.
  static func engine(_ section: YAMLSection, beside file: URL) -> EngineChoice {
    var choice = EngineChoice()
    guard let node = section.node("engine") else { return choice }
    if let name = node.scalar?.string {
      choice.name = self.name(name, section, "engine")
      return choice
    }
    let engine = YAMLSection(node, name: "engine", problems: section.problems)
    if let name = engine.required("name") { choice.name = self.name(name, engine, "name") }
    choice.submit = engine.text("submit")
    choice.submitLine = engine.line(of: "submit")
    choice.exchange = engine.text("exchange").map { exchange in
      exchange.contains("://")
        ? exchange
        : URL(fileURLWithPath: exchange, relativeTo: file.deletingLastPathComponent()).standardizedFileURL.path
    }
    if let tasks = engine.text("tasks") {
      choice.tasks = Int(tasks)
      if !(1...EngineChoice.mostTasks ~= choice.tasks ?? 0) {
        engine.problem("tasks", "\"\(tasks)\" is no number from 1 to \(EngineChoice.mostTasks).")
        choice.tasks = nil
      }
    }
    engine.finish()
    return choice
  }

  private static func name(_ name: String, _ section: YAMLSection, _ key: String) -> EngineChoice.Name {
    if let known = EngineChoice.Name(rawValue: name) { return known }
    section.problem(key, "\"\(name)\" is no engine; write native or spark.")
    return .native
  }
}
