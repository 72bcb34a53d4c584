import Domain

/// Builds one drawing of the report; colours come from the page's style, so that light, dark and print fit.
///
/// Across, places are percent of the drawing's width; down, they are pixels: so a drawing is as wide as the page
/// allows, and its text stays as large as the page's.
struct SVG {
  private var body = ""

  /// The whole element; `title` is what a screen reader says of it.
  func element(title: String, class name: String) -> String {
    "<svg class=\"\(name)\" role=\"img\" aria-label=\"\(Self.escape(title))\">\(body)</svg>"
  }

  /// The element of a drawing that is stretched to its place: places across and down are from 0 to 100.
  func stretched(title: String, class name: String) -> String {
    """
    <svg class="\(name)" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" \
    aria-label="\(Self.escape(title))">\(body)</svg>
    """
  }

  mutating func line(_ from: (x: Double, y: Double), _ to: (x: Double, y: Double), class name: String) {
    body += "<line class=\"\(name)\" x1=\"\(Self.number(from.x))%\" y1=\"\(Self.number(from.y))\""
    body += " x2=\"\(Self.number(to.x))%\" y2=\"\(Self.number(to.y))\"/>"
  }

  mutating func bar(from start: Double = 0, width: Double, height: Double, class name: String) {
    let position = start == 0 ? "" : " x=\"\(Self.number(start))%\""
    body +=
      "<rect class=\"\(name)\"\(position) width=\"\(Self.number(max(width, 0)))%\" height=\"\(Self.number(height))\" rx=\"2\"/>"
  }

  mutating func dot(_ at: (x: Double, y: Double), radius: Double, class name: String) {
    body += "<circle class=\"\(name)\" cx=\"\(Self.number(at.x))%\" cy=\"\(Self.number(at.y))\""
    body += " r=\"\(Self.number(radius))\"/>"
  }

  /// Where an arrow points.
  enum Direction: String { case left = "M6 -6L-2 0L6 6Z", right = "M-6 -6L2 0L-6 6Z" }

  /// The tip of an arrow, its point near the place.
  mutating func arrow(_ direction: Direction, at position: (x: Double, y: Double), class name: String) {
    body += "<svg x=\"\(Self.number(position.x))%\" y=\"\(Self.number(position.y))\" overflow=\"visible\">"
    body += "<path class=\"\(name)\" d=\"\(direction.rawValue)\"/></svg>"
  }

  mutating func path(_ points: [(x: Double, y: Double)], isClosed: Bool = false, class name: String) {
    guard let first = points.first else { return }
    body += "<path class=\"\(name)\" d=\"M\(Self.number(first.x)) \(Self.number(first.y))"
    for point in points.dropFirst() {
      body += "L"
      body += Self.number(point.x)
      body += " "
      body += Self.number(point.y)
    }
    body += isClosed ? "Z\"/>" : "\"/>"
  }

  /// Where a text stands by its place.
  enum Anchor: String { case start, middle, end }

  mutating func text(
    _ text: String, at position: (x: Double, y: Double), anchor: Anchor = .start, class name: String = "label"
  ) {
    body += "<text class=\"\(name)\" x=\"\(Self.number(position.x))%\" y=\"\(Self.number(position.y))\""
    body += " text-anchor=\"\(anchor.rawValue)\">\(Self.escape(text))</text>"
  }

  /// Two decimals of a percent are less than a pixel.
  private static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    // Further out nothing is seen.
    let hundredths = Int(min(value.magnitude * 100, 1e15).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    let sign = value < 0 && hundredths > 0 ? "-" : ""
    if rest.isMultiple(of: 10) { return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest / 10)" }
    return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// The text as HTML and SVG have it, on one line; what would turn the direction of what follows, or hide it, is written
  /// out.
  static func escape(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    let line =
      text.utf8.allSatisfy { $0 >= 0x20 } ? text : String(String.UnicodeScalarView(text.unicodeScalars.map(blank)))
    var escaped = ""
    for scalar in PrintableText.escaped(line).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A letter of ASCII that stands for itself.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
    default: (0x20..<0x7F).contains(byte)
    }
  }

  private static func blank(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    ["\n", "\r", "\t"].contains(scalar) ? " " : scalar
  }
}

extension StoryGroup {
  /// The class of its colour, the same in all drawings. The page has six that are told apart; further groups are grey,
  /// and their names tell them apart.
  var style: String { position < Self.colours ? "series-\(position)" : "series-rest" }

  private static let colours = 6
}
