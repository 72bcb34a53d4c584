/// Builds one drawing of the report; colours come from the page's style, so that light, dark and print fit.
struct SVG {
  let width: Double
  let height: Double
  private var body = ""

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The whole element; `title` is what a screen reader says of it.
  func element(title: String) -> String {
    """
    <svg viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img" aria-label="\(Self.escape(title))">\
    <title>\(Self.escape(title))</title>\(body)</svg>
    """
  }

  mutating func line(_ from: (x: Double, y: Double), _ to: (x: Double, y: Double), class name: String) {
    body += "<line class=\"\(name)\" x1=\"\(Self.number(from.x))\" y1=\"\(Self.number(from.y))\""
    body += " x2=\"\(Self.number(to.x))\" y2=\"\(Self.number(to.y))\"/>"
  }

  mutating func rectangle(_ corner: (x: Double, y: Double), width: Double, height: Double, class name: String) {
    body += "<rect class=\"\(name)\" x=\"\(Self.number(corner.x))\" y=\"\(Self.number(corner.y))\""
    body += " width=\"\(Self.number(max(width, 0)))\" height=\"\(Self.number(max(height, 0)))\"/>"
  }

  mutating func dot(_ at: (x: Double, y: Double), radius: Double, class name: String) {
    body += "<circle class=\"\(name)\" cx=\"\(Self.number(at.x))\" cy=\"\(Self.number(at.y))\""
    body += " r=\"\(Self.number(radius))\"/>"
  }

  mutating func path(_ points: [(x: Double, y: Double)], isClosed: Bool = false, class name: String) {
    guard let first = points.first else { return }
    let rest = points.dropFirst().map { "L\(Self.number($0.x)) \(Self.number($0.y))" }.joined()
    body +=
      "<path class=\"\(name)\" d=\"M\(Self.number(first.x)) \(Self.number(first.y))\(rest)\(isClosed ? "Z" : "")\"/>"
  }

  /// Where a text stands by its place.
  enum Anchor: String { case start, middle, end }

  mutating func text(
    _ text: String, at place: (x: Double, y: Double), anchor: Anchor = .start, class name: String = "label"
  ) {
    body += "<text class=\"\(name)\" x=\"\(Self.number(place.x))\" y=\"\(Self.number(place.y))\""
    body += " text-anchor=\"\(anchor.rawValue)\">\(Self.escape(text))</text>"
  }

  /// Two decimals are a hundredth of a pixel.
  private static func number(_ value: Double) -> String {
    value.isFinite ? NumberText.real((value * 100).rounded() / 100) : "0"
  }

  static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // Control characters are no characters of HTML.
      case _ where scalar.value < 0x20: escaped += " "
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension StoryGroup {
  /// The class of its colour, the same in all drawings; the page has six.
  var style: String { "series-\(place % 6)" }
}
