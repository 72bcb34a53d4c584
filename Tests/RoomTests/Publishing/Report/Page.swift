import Foundation
import FoundationXML
import Testing

/// Collects the text and the elements of a page, and whether it is well-formed.
final class Page: NSObject, XMLParserDelegate {
  var elements: [String: Int] = [:]
  var attributes: [String] = []
  var text = ""
  private var isCell = false
  /// The rows of all tables.
  var cells: [[String]] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    elements[name, default: 0] += 1
    if name == "tr" { cells.append([]) }
    if name == "td" || (name == "th" && attributes["scope"] == "row") { cells[cells.count - 1].append("") }
    if name == "td" || name == "th" { isCell = true }
    self.attributes += attributes.map { "\($0.key)=\($0.value)" }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { if name == "td" || name == "th" { isCell = false } }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    self.text += text
    if isCell, let row = cells.indices.last, !cells[row].isEmpty { cells[row][cells[row].count - 1] += text }
  }

  /// The page taken apart; fails unless every element is closed and every character is one.
  static func parsed(_ html: String) throws -> Page {
    let page = Page()
    let parser = XMLParser(data: Data(html.utf8))
    parser.delegate = page
    try #require(parser.parse(), "\(String(describing: parser.parserError)) in line \(parser.lineNumber)")
    return page
  }
}
