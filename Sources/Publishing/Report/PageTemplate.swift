import Domain
import Mustache

/// A page of HTML with places for what it shows. Text is escaped where it is put in, except drawings, which are ours.
struct PageTemplate {
  private let page: String
  private let partials: [String: String]

  /// What a page may load: nothing but its own styles and pictures, whatever a name in it says. Source: W3C, "Content
  /// Security Policy Level 3".
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

  /// - Parameters:
  ///   - title: the window's.
  ///   - body: what stands in it, lines each with its end.
  ///   - partials: templates by the names that the body calls them by.
  init(title: String, body: String, partials: [String: String] = [:]) {
    page = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <title>\(title)</title>
      <style>{{{style}}}</style>
      </head>
      <body>
      \(body)</body>
      </html>

      """
    self.partials = partials
  }

  /// The page with everything in its place.
  ///
  /// - Throws: `OfferliftError` 70 where the template cannot be used.
  func render(_ context: [String: Any]) throws -> String { try parsed().render(context) }

  /// The template as it is used for many pages.
  struct Parsed {
    fileprivate let library: MustacheLibrary

    /// The page with everything in its place.
    ///
    /// - Throws: `OfferliftError` 70 where the template is missing.
    func render(_ context: [String: Any]) throws -> String {
      guard let html = library.render(context, withTemplate: "page") else {
        throw OfferliftError(.internalError, "the page's template is missing.")
      }
      return html
    }
  }

  /// - Throws: `OfferliftError` 70 where the template cannot be used.
  func parsed() throws -> Parsed {
    var library = MustacheLibrary()
    do {
      for (name, text) in partials { try library.register(EscapedScalars.pragma + text, named: name) }
      try library.register(EscapedScalars.pragma + page, named: "page")
    } catch {
      throw OfferliftError(.internalError, "the page's template cannot be read: \(error)")
    }
    return Parsed(library: library)
  }
}
