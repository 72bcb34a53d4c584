/// Names from the data that are written from right to left, so that each is set apart where it stands in a sentence:
/// what follows it keeps its place.
///
/// A name that stands by itself, in a cell or a heading, has its `<bdi>` from the template.
struct IsolatedNames {
  /// Escaped as the text has them, the longest first.
  private let names: [String]

  /// - Parameter escape: makes of a name what the text has, of a page unless it is said.
  init(_ names: some Sequence<String>, escape: (String) -> String = SVG.escape) {
    self.names = Set(names).filter(Self.isRightToLeft).map(escape).sorted { ($1.count, $0) < ($0.count, $1) }
  }

  /// Whether a text holds a letter of Hebrew, Arabic, Syriac, Thaana, N'Ko or another script that runs to the left.
  static func isRightToLeft(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
      default: false
      }
    }
  }

  /// The page with every such name in its text in a `<bdi>`; tags, styles and the window's title stay as they are.
  func isolated(in html: String) -> String {
    guard !names.isEmpty else { return html }
    var (result, rest) = ("", html[...])
    while let tag = rest.firstIndex(of: "<") {
      result += isolated(inText: rest[..<tag], isAlone: result.hasSuffix("<bdi>"))
      let end = Self.closed.compactMap { rest[tag...].hasPrefix("<\($0)") ? "</\($0)>" : nil }.first ?? ">"
      let after = rest[tag...].firstRange(of: end)?.upperBound ?? rest.endIndex
      result += rest[tag..<after]
      rest = rest[after...]
    }
    return result + isolated(inText: rest, isAlone: false)
  }

  /// A text without tags, with every such name between the marks that set it apart.
  ///
  /// Source: Unicode Standard Annex #9, "Explicit Directional Isolates".
  func isolated(inPlain text: String) -> String { isolated(inText: text[...], between: ("\u{2068}", "\u{2069}")) }

  /// Elements whose text is no text of the page.
  private static let closed = ["style", "title"]

  /// - Parameter isAlone: the text stands in a `<bdi>` already.
  private func isolated(inText text: Substring, isAlone: Bool) -> String {
    isAlone ? String(text) : isolated(inText: text, between: ("<bdi>", "</bdi>"))
  }

  private func isolated(inText text: Substring, between marks: (start: String, end: String)) -> String {
    var (result, rest) = ("", text)
    while let next = first(in: rest) {
      result += "\(rest[..<next.lowerBound])\(marks.start)\(rest[next])\(marks.end)"
      rest = rest[next.upperBound...]
    }
    return result + rest
  }

  /// The first name in a text; of those that begin at one place the longest.
  private func first(in text: Substring) -> Range<Substring.Index>? {
    names.compactMap { text.firstRange(of: $0) }.min { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
  }
}

extension NightStory {
  /// Every name from the data that may stand in a sentence of the page.
  var names: [String] { offerings.flatMap(\.names) }
}

extension OfferingStory {
  /// Every name from the data that may stand in a sentence of its part of the page.
  var names: [String] {
    let own = [offering.text, verdict.name ?? ""] + groups.map(\.text)
    let measured = comparisons.flatMap { [$0.segment.text, $0.metric.label] } + values.map(\.metric.label)
    let failed = failures.flatMap { [$0.kind.code.text, $0.kind.message.text] }
    return own + measured + sold + funnels.flatMap(\.names) + failed + (outside?.lines.map(\.loggedAs) ?? [])
  }

  /// What was sold, and where.
  private var sold: [String] {
    let products = products.map(\.product) + offers.flatMap { $0.products.map(\.product) }
    let positions = charges.flatMap { [$0.attribute.text] + $0.lines.map(\.label) }
    return products.map(\.text) + displayPrices.map(\.product.text) + positions
  }
}

extension Funnel {
  fileprivate var names: [String] { [name.text] + steps.map(\.name.text) + [split?.event.text].compactMap(\.self) }
}
