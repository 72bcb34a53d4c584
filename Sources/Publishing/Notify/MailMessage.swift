import Domain
import Foundation

/// From and to whom mails go; nothing is made up: what is not given is left to whoever sends them.
package struct MailAddresses: Sendable, Hashable {
  let from: String?
  let to: [String]

  /// - Throws: `OfferliftError`, exit 64, where an address could end its line, or has no `@`.
  package init(from: String? = nil, to: [String] = []) throws {
    for address in [from].compactMap(\.self) + to {
      let isPlain = address.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } && address.utf8.count < 900
      guard isPlain, address.contains("@") else {
        throw OfferliftError(
          .usage,
          "\"\(address)\" is no address; write name@example.org, or \"Name <name@example.org>\" in plain letters.")
      }
    }
    (self.from, self.to) = (from, to)
  }

  /// Nobody's.
  package init() { (from, to) = (nil, []) }
}

/// A mail with the night in text and HTML.
///
/// Source: RFC 5322; RFC 2045 and 2046, MIME; RFC 2047, words that are not ASCII in a header. Its date is the night's cut-off, so
/// that the same night is the same mail.
struct MailMessage {
  let notice: NightNotice
  let addresses: MailAddresses

  /// Letters that Base64 has none of.
  private static let boundary = "=_offerlift_night"
  private static let mostLines = 200

  var text: String {
    let head =
      [
        addresses.from.map { "From: \($0)" },
        addresses.to.isEmpty ? nil : "To: \(addresses.to.joined(separator: ",\r\n "))",
      ]
      .compactMap(\.self)
      + ["Subject: \(Self.subject(notice.plain(notice.title)))"] + [date.map { "Date: \($0)" }].compactMap(\.self) + [
        "MIME-Version: 1.0", "Auto-Submitted: auto-generated",
        "Content-Type: multipart/alternative; boundary=\"\(Self.boundary)\"", "",
      ]
    let parts = [part("text/plain", plain), part("text/html", html)].flatMap(\.self)
    return (head + parts + ["--\(Self.boundary)--", ""]).joined(separator: "\r\n")
  }

  private func part(_ type: String, _ text: String) -> [String] {
    let lines = Data(text.utf8).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
    return [
      "--\(Self.boundary)", "Content-Type: \(type); charset=utf-8", "Content-Transfer-Encoding: base64", "",
    ] + lines.split(separator: "\n").map(String.init)
  }

  // MARK: - Bodies

  private var shown: (lines: ArraySlice<NightNotice.Line>, more: String?) {
    let lines = notice.lines
    let rest = lines.count - Self.mostLines
    return (lines.prefix(Self.mostLines), rest > 0 ? "\(Phrase.count(rest, "more group")) in the report." : nil)
  }

  private var plain: String {
    let said = shown.lines.map { "\($0.offering): \($0.headline) \($0.reason)" } + [shown.more].compactMap(\.self)
    let paragraphs = [[notice.title], notice.warnings, said, notice.footer].flatMap(\.self)
    return paragraphs.map { notice.plain($0) }.joined(separator: "\r\n\r\n") + "\r\n"
  }

  private var html: String {
    let said =
      shown.lines.map { line in
        "<p><b><bdi>\(escaped(line.offering))</bdi>: \(escaped(line.headline))</b> \(escaped(line.reason))</p>"
      } + [shown.more].compactMap(\.self).map { "<p>\(escaped($0))</p>" }
    let body =
      ["<h1 style=\"font-size:1.2em\">\(escaped(notice.title))</h1>"]
      + notice.warnings.map { "<p style=\"color:#a00\"><b>\(escaped($0))</b></p>" } + said
      + notice.footer.map { "<p style=\"color:#555\">\(escaped($0))</p>" }
    return "<!DOCTYPE html>\r\n<html lang=\"en\"><head><meta charset=\"utf-8\"></head><body>\r\n"
      + body.joined(separator: "\r\n") + "\r\n</body></html>\r\n"
  }

  private func escaped(_ text: String) -> String { SVG.escape(notice.plain(text)) }

  // MARK: - Header

  /// ASCII as it is, on lines of at most 78 characters; else encoded words of at most 75.
  private static func subject(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }), text.utf8.count <= 900, !text.contains("=?") {
      return folded(text)
    }
    var (words, bytes) = ([String](), [UInt8]())
    // 45 bytes are 60 characters of Base64, 72 with what stands around them.
    for scalar in text.unicodeScalars {
      let next = Array(String(scalar).utf8)
      if bytes.count + next.count > 45 {
        words.append(word(bytes))
        bytes = []
      }
      bytes += next
    }
    return (words + [word(bytes)]).joined(separator: "\r\n ")
  }

  private static func word(_ bytes: [UInt8]) -> String { "=?utf-8?B?\(Data(bytes).base64EncodedString())?=" }

  private static func folded(_ text: String) -> String {
    var (lines, line) = ([String](), "Subject: ")
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if line.count + word.count > 76, line.count > 9 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty || line == "Subject: " ? "" : " ") + word
    }
    return String((lines + [line]).joined(separator: "\r\n ").dropFirst("Subject: ".count))
  }

  /// `Thu, 30 Apr 2026 22:00:00 +0000`.
  private var date: String? {
    guard let cutoff = notice.cutoff else { return nil }
    let text = cutoff.rfc3339
    let day = CivilDate(day: cutoff.utcDay)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    // 1 January 1970 was a Thursday.
    let week = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let weekday = week[Int(((cutoff.utcDay % 7) + 7) % 7)]
    return
      "\(weekday), \(day.dayOfMonth) \(months[Int(day.month) - 1]) \(day.year) \(text.dropFirst(11).prefix(8)) +0000"
  }
}
