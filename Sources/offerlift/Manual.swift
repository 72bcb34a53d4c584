import ArgumentParser
import Domain

/// What people read about the commands, made of their help.
enum Manual {
  /// The commands that help shows, in its order.
  private static var commands: [any ParsableCommand.Type] {
    Offerlift.configuration.subcommands.filter { $0.configuration.shouldDisplay }
  }

  private static func help(of command: any ParsableCommand.Type) -> String {
    Offerlift.helpMessage(for: command, columns: 100)
  }

  /// A section a command, for `jobs/reference/commands.md`.
  static var commandsInMarkdown: String {
    commands.map { command in
      let name = command.configuration.commandName ?? ""
      return "## `offerlift \(name)`\n\n```\n\(help(of: command).trimmed)\n```"
    }.joined(separator: "\n\n")
  }

  /// The manual page in roff's `man` macros; see man(7).
  static var page: String {
    let overview = section("NAME", [".PP", "offerlift \\- \(escaped(Offerlift.configuration.abstract))"])
    let synopsis = section("SYNOPSIS", [".B offerlift", "COMMAND [OPTIONS]"])
    let commands = Self.commands.map { command in
      section("OFFERLIFT " + (command.configuration.commandName ?? "").uppercased(), verbatim(help(of: command)))
    }
    let codes = OfferliftError.ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) }
    let status = section(
      "EXIT STATUS",
      entries([("0", "published"), ("3", "published, but a check failed (--strict)")] + codes))
    let environment = section(
      "ENVIRONMENT", entries([("NO_COLOR", "Any text: no colours on a terminal, either.")]))
    let head = ".TH OFFERLIFT 1 \"\" \"offerlift \(Product.version)\"\n"
    return head + ([overview, synopsis] + commands + [status, environment]).joined()
  }

  private static func section(_ title: String, _ lines: [String]) -> String {
    ".SH \(title)\n\(lines.joined(separator: "\n"))\n"
  }

  private static func entries(_ pairs: [(term: String, text: String)]) -> [String] {
    pairs.flatMap { [".TP", ".B \($0.term)", escaped($0.text)] }
  }

  private static func verbatim(_ text: String) -> [String] {
    [".nf"] + text.trimmed.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) } + [
      ".fi"
    ]
  }

  /// Text that roff takes for no request of its own; characters beyond ASCII by their number.
  private static func escaped(_ line: String) -> String {
    let plain = line.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case _ where scalar.isASCII: String(scalar)
      default: "\\[u\(hexadecimal(scalar.value))]"
      }
    }.joined()
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&\(plain)" : plain
  }

  private static func hexadecimal(_ number: UInt32) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension String {
  /// Without the line ends at its end.
  fileprivate var trimmed: Substring {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
