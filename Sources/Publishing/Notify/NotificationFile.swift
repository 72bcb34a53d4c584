import Domain
import Platform

/// A file that tells people or programs how a night went: cron posts it, for this program stays off the network.
package struct NotificationFile: Sendable, Hashable {
  package let kind: Kind
  /// As the command line has it, `{job}` and `{night}` in the place of names.
  let pattern: String

  package enum Kind: String, Sendable, CaseIterable {
    case slack, teams, eml, openlineage
  }

  /// `slack=out/{job}.json`.
  ///
  /// - Throws: `OfferliftError`, exit 64, where it is no kind and path.
  package init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let kinds = Kind.allCases.map(\.rawValue)
    guard parts.count == 2, !parts[1].isEmpty else {
      throw OfferliftError(
        .usage,
        "--notify-file \"\(text)\": write what it is and where it goes, slack=PATH; there are \(Phrase.list(kinds)).")
    }
    do throws(UnknownWord) { kind = try Kind(word: String(parts[0])) } catch {
      throw OfferliftError(.usage, "--notify-file \"\(text)\": \(error.sentence)")
    }
    pattern = String(parts[1])
  }

  /// Nights of several jobs, or several nights, go to files of their own.
  ///
  /// - Throws: `OfferliftError`, exit 64, where one would take another's place.
  package func verify(jobs: Int, nights: Int) throws {
    for (name, count) in [("{job}", jobs), ("{night}", nights)] where count > 1 && !pattern.contains(name) {
      throw OfferliftError(
        .usage,
        "--notify-file \(kind.rawValue)=\(pattern): each \(name.dropFirst().dropLast()) would take the place of the one "
          + "before; write \(name) in the path.")
    }
  }

  /// Puts what the file tells in the place of what it told before: readers see one or the other, whole.
  ///
  /// - Throws: `OfferliftError` (73 or 74) naming the path.
  package func write(_ notice: NightNotice, from sender: MailAddresses = MailAddresses()) throws {
    let night = notice.night.isEmpty ? "none" : notice.night
    let path = pattern.replacing("{job}", with: notice.job).replacing("{night}", with: night)
    try OutputFailure.advising("Name a folder that is there and can be written, with --notify-file.") {
      try FileWriter.replace(path, with: text(notice, sender).utf8)
    }
  }

  func text(_ notice: NightNotice, _ sender: MailAddresses) -> String {
    switch kind {
    case .slack: SlackMessage(notice: notice).json.file
    case .teams: TeamsMessage(notice: notice).json.file
    case .eml: MailMessage(notice: notice, addresses: sender).text
    case .openlineage: LineageEvent(notice: notice).json.file
    }
  }
}
