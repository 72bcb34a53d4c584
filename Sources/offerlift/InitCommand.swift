import Application
import ArgumentParser
import Domain
import Foundation
import Recognition
import Simulation

/// `offerlift init`: a job file for files that nobody has described yet.
struct InitCommand: AsyncParsableCommand, QuietCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Look at your files and write a job file that reads them.",
    discussion: """
      Recognises the format, delimiter, decimal mark, columns, times, currency, groups and baseline; writes a commented \
      job file, says how sure each guess is, and checks the job. Where money would hang on a guess, it asks instead, and \
      says what to type. Ends with 0 where the job may be run.

      EXAMPLES

        offerlift init --assignments users.csv --purchases orders.csv
        offerlift init --assignments users.csv --purchases orders.csv --name spring-prices --baseline old_price
        offerlift init --example first-test
      """)

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Who is in which group: CSV, JSON Lines or a dump of MySQL, gzipped or not. Left out where the log itself says it.",
      valueName: "files"), completion: .file())
  var assignments: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      """
      What was bought, and what was done: any table of orders or events, and the feeds \(InitRun.feeds).
      """,
      valueName: "files"), completion: .file())
  var purchases: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      """
      What the server offers: its tables subscription_offerings, _groups, _group_products and _group_copy, or stored \
      answers of getSubscriptionOffering. Tables of these names beside the assignments are found where groups are row ids.
      """,
      valueName: "files"), completion: .file())
  var catalog: [String] = []

  @Option(help: ArgumentHelp("A table of who is whose alias.", valueName: "file"), completion: .file())
  var identities: String?

  @Option(help: ArgumentHelp("A table of what the products are.", valueName: "file"), completion: .file())
  var products: String?

  @Option(
    help: ArgumentHelp("A table of exchange rates: date, currency, rate.", valueName: "file"), completion: .file())
  var rates: String?

  @Option(help: ArgumentHelp("Where the job file goes. (default: NAME.yml)", valueName: "job.yml"))
  var output: String?

  @Option(
    help: "What the job is called. (default: the job file's name, else the assignments' file's, else the folder's)")
  var name: String?

  @Option(help: ArgumentHelp("The group that the others are compared with.", valueName: "group"))
  var baseline: String?

  @Option(help: ArgumentHelp("The currency of the report, and of charges that name none.", valueName: "code"))
  var currency: String?

  @Option(help: ArgumentHelp("Where times without an offset are local, Europe/London.", valueName: "zone"))
  var timezone: String?

  @Option(
    help: ArgumentHelp(
      "Which column a field is, where the guess is wrong: --column price=Net.", valueName: "field=name"))
  var column: [String] = []

  @Option(
    help: ArgumentHelp(
      "The answer to what init asked: --say price_unit=minor, --say quantity=none.", valueName: "key=value"))
  var say: [String] = []

  @Flag(help: "Write the job file anew where there is one.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "With no files of your own: make this folder, with a job and the logs of a made-up test of prices to run it on.",
      valueName: "folder"))
  var example: String?

  @OptionGroup var sound: QuietOption

  func run() async throws {
    if let example { return try writeExample(example) }
    guard !purchases.isEmpty else {
      throw OfferliftError(
        .usage,
        "init needs what was bought: --purchases orders.csv; or, without files of your own, --example first-test.")
    }
    let report = try await InitRun(request, ask: Terminal.choice).report(
      threads: ProcessInfo.processInfo.activeProcessorCount)
    try report.guesses.forEach { try Terminal.say($0) }
    try Terminal.say("")
    try Terminal.say("Wrote \(report.job). Checking it:")
    try report.check.show()
    report.questions.forEach { Terminal.warn("note: \($0)") }
    try Terminal.say("")
    try showNext(report)
    guard let exit = report.exit else { return }
    if Terminal.isQuiet, report.check.error == nil {
      Terminal.complain(OfferliftError(exit, "\(report.check.verdict ?? "") Type: offerlift check \(report.job)"))
    }
    throw ExitCode(exit.rawValue)
  }

  private func writeExample(_ folder: String) throws {
    guard assignments.isEmpty, purchases.isEmpty else {
      throw OfferliftError(.usage, "--example makes files of its own; leave --assignments and --purchases out.")
    }
    let sample = try SampleTest.write(into: folder)
    try Terminal.results("\(sample.summary)\n")
    try Terminal.say("")
    try Terminal.say("Wrote \(sample.job). Type next:")
    try Terminal.say("  offerlift run \(sample.job) \(sample.options)")
  }

  private func showNext(_ report: InitRun.Report) throws {
    if let again = report.again {
      try Terminal.say("Once that is done, type:")
      try Terminal.say("  \(again)")
      guard report.check.problems.isEmpty else { return }
      try Terminal.say("To go on with the files as they are, type:")
    } else {
      let isSound = report.check.problems.isEmpty && report.check.remedies.isEmpty
      try Terminal.say(isSound ? "Type next:" : "Mend these first, then type:")
    }
    try report.next.forEach { try Terminal.say("  \($0)") }
  }

  private var request: InitRun.Request {
    get throws {
      var request = InitRun.Request()
      request.files.assignments = assignments
      request.files.purchases = purchases
      request.files.catalog = catalog
      request.files.identities = identities
      request.files.products = products
      request.files.rates = rates
      request.files.columns = try columns
      request.files.terms = .init(currency: try code, zone: try zone)
      request.files.terms.answers = try answers
      request.output = output
      request.name = name
      request.baseline = baseline
      request.currency = try code
      request.timezone = timezone
      request.overwrites = force
      return request
    }
  }

  private var columns: [String: String] {
    get throws { try pairs(column, "--column", "write the field and its column, --column price=Net.") }
  }

  private var answers: [String: String] {
    get throws {
      let answers = try pairs(say, "--say", "write what was asked and the answer, --say price_unit=minor.")
      for (key, value) in answers.sorted(by: { $0.key < $1.key }) {
        if let problem = Answer.problem(key, value) { throw OfferliftError(.usage, problem) }
      }
      return answers
    }
  }

  private func pairs(_ texts: [String], _ option: String, _ remedy: String) throws -> [String: String] {
    try texts.reduce(into: [:]) { pairs, text in
      // A name may hold the mark; what it is called does not.
      guard let mark = option == "--say" ? text.lastIndex(of: "=") : text.firstIndex(of: "="), mark > text.startIndex
      else { throw OfferliftError(.usage, "\(option) \"\(text)\": \(remedy)") }
      pairs[String(text[..<mark])] = String(text[text.index(after: mark)...])
    }
  }

  private var code: String? {
    get throws {
      guard let currency else { return nil }
      guard let code = Currency(Array(currency.utf8)) else {
        throw OfferliftError(.usage, "--currency \"\(currency)\" is not three letters; write EUR.")
      }
      return code.text
    }
  }

  private var zone: TimeZone? {
    get throws {
      guard let timezone else { return nil }
      do throws(ZoneName.Fault) { return try ZoneName.zone(timezone) } catch {
        throw OfferliftError(.usage, "--timezone \"\(timezone)\" \(error.words)")
      }
    }
  }
}

extension Terminal {
  /// Asks which of some names is right; nil where nobody sits at the terminal, or answers none of them.
  static func choice(_ question: String, among names: [String]) -> String? {
    guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else { return nil }
    let list = PrintableText.escaped(names.joined(separator: ", "))
    Terminal.write("\(PrintableText.sentence(question)) (\(list)) ")
    guard let answer = readLine(), names.contains(answer) else { return nil }
    return answer
  }
}
