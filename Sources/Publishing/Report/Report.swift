import Domain
import Mustache

/// Makes `report.html` of a night's story: one file that fetches nothing.
enum Report {
  /// The whole page.
  ///
  /// - Throws: `OfferliftError` 70 where the template cannot be used.
  static func html(of story: NightStory) throws -> String {
    var library = MustacheLibrary()
    do {
      try library.register(ReportTemplate.figure, named: "figure")
      try library.register(ReportTemplate.page, named: "page")
    } catch {
      throw OfferliftError(.internalError, "the report's template cannot be read: \(error)")
    }
    guard let page = library.render(context(story), withTemplate: "page") else {
      throw OfferliftError(.internalError, "the report's template is missing.")
    }
    return page
  }

  private static func context(_ story: NightStory) -> [String: Any] {
    [
      "job": story.job, "night": story.night, "asOf": story.cutoff, "currency": story.currency,
      "style": ReportTemplate.style, "reading": story.readingAdvice,
      "offerings": story.offerings.map { OfferingSection(story: story, offering: $0).context },
      "troubles": story.health.troubles.map(context), "passed": story.health.passed.map(context),
      "isHealthy": story.health.troubles.isEmpty, "setAside": FileRows.figure(of: story.files).context,
    ]
  }

  private static func context(_ check: CheckFinding) -> [String: Any] {
    let place = [check.offering?.text ?? "", check.subject].filter { !$0.isEmpty }.joined(separator: ", ")
    return [
      "status": check.status.rawValue, "name": StoryWords.plain(check.name), "place": place,
      "hasPlace": !place.isEmpty, "message": check.message,
    ]
  }
}
