import Analysis
import Domain
import Serving

/// `vocabulary`: what the words in the tables mean, and how groups are compared, in the words of the reference.
enum VocabularyTool {
  /// The parts of the reference that explain results.
  private static let topics = ["calls", "decisions", "methods", "metrics", "checks", "reasons"]

  static let tool = Tool(
    "vocabulary", title: "Vocabulary and methods",
    "Explains the words of the results: calls, decisions, methods (what decides), metrics, checks (what each finds, and from "
      + "where on it warns or fails) and the reasons for which rows are set aside.",
    [Tool.Parameter("topic", "One of \(topics.joined(separator: ", ")).", isRequired: true)],
    answer: { arguments in
      let topic = arguments.text("topic") ?? ""
      guard topics.contains(topic) else {
        throw OfferliftError(.usage, "There is no topic \"\(topic)\"; \(hint(for: topic, among: topics))")
      }
      return ["topic": .text(topic), "text": .text(text(of: topic))]
    })

  private static func text(of topic: String) -> String {
    switch topic {
    case "calls": MarkdownTable.text(["call", "when"], Call.allCases.map { ["`\($0.rawValue)`", $0.meaning] })
    case "decisions": Reference.decisions
    case "methods":
      MarkdownTable.text(
        ["decide_by", "decides by"], DecisionCatalog.product.all.map { ["`\($0.name)`", $0.words.meaning] })
    case "metrics": Reference.metrics
    case "checks": Reference.checks
    default: Reference.reasons
    }
  }
}
