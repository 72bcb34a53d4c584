import Domain
import Mustache

/// A page of HTML with places for what it shows. Text is escaped where it is put in, except drawings, which are ours.
struct PageTemplate {
  private let page: String
  private let partials: [String: String]

  init(_ page: String, partials: [String: String] = [:]) {
    self.page = page
    self.partials = partials
  }

  /// The page with everything in its place.
  ///
  /// - Throws: `OfferliftError` 70 where the template cannot be used.
  func render(_ context: [String: Any]) throws -> String {
    var library = MustacheLibrary()
    do {
      for (name, text) in partials { try library.register(text, named: name) }
      try library.register(page, named: "page")
    } catch {
      throw OfferliftError(.internalError, "the page's template cannot be read: \(error)")
    }
    guard let html = library.render(context, withTemplate: "page") else {
      throw OfferliftError(.internalError, "the page's template is missing.")
    }
    return html
  }
}
