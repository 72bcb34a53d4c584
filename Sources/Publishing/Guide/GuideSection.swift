import Foundation

/// One section of the guide, taken apart for the page.
struct GuideSection {
  let title: String
  /// Paragraphs and items of lists.
  let blocks: [Block]

  struct Block {
    let isItem: Bool
    /// Its pieces in turn; those that stand out are bold.
    let pieces: [(text: String, isBold: Bool)]
  }

  /// - Parameter markdown: the heading's text on the first line, the section below it.
  init(_ markdown: String) {
    let lines = markdown.components(separatedBy: "\n")
    title = lines[0]
    var blocks: [String] = []
    var isOpen = false
    for line in lines.dropFirst() {
      if line.isEmpty {
        isOpen = false
      } else if !isOpen || line.hasPrefix("- ") {
        blocks.append(line)
        isOpen = true
      } else {
        blocks[blocks.count - 1] += " " + line.drop { $0 == " " }
      }
    }
    self.blocks = blocks.map { text in
      let isItem = text.hasPrefix("- ")
      let parts = (isItem ? String(text.dropFirst(2)) : text).components(separatedBy: "**")
      return Block(isItem: isItem, pieces: parts.enumerated().map { ($1, !$0.isMultiple(of: 2)) })
    }
  }

  /// The section's name in links: `however-often-you-look`.
  var anchor: String {
    String(title.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" })
  }

  /// What the page's template makes of it.
  var context: [String: Any] {
    [
      "anchor": "guide-\(anchor)", "title": title,
      "paragraphs": blocks.map { block in
        [
          "isItem": block.isItem,
          "pieces": block.pieces.map {
            ["text": $0.text.replacing("`", with: ""), "isBold": $0.isBold] as [String: Any]
          },
        ] as [String: Any]
      },
    ]
  }
}
