import Domain
import Engine
import Foundation
import Jobs
import Recognition

/// Looks at a stranger's files, writes a job that reads them, and checks it.
package struct InitRun {
  /// What the command line says.
  package struct Request: Sendable {
    package var files = Recognition.Files()
    /// Where the job file goes; nil is its name with `.yml`, in the working directory.
    package var output: String?
    package var name: String?
    package var baseline: String?
    package var currency: String?
    package var timezone: String?
    /// A job file that is there already is written anew.
    package var overwrites = false

    package init() {}
  }

  /// What came of it.
  package struct Report: Sendable {
    /// The job file.
    package let job: String
    /// What was recognised, file by file, and how sure each guess is.
    package let guesses: [String]
    /// What nobody but whoever asked can know.
    package let questions: [String]
    package let check: CheckReport
    /// The command that looks again, once the files are mended; nil where there is nothing to mend, or the new files are
    /// not known.
    package let again: String?
    /// The commands to type next.
    package let next: [String]

    /// What the command ends with where a run of the job would fail, or count what is no money; nil where it may be run.
    package var exit: OfferliftError.ExitCode? {
      check.error?.exit ?? (check.remedies.isEmpty ? nil : .badData)
    }
  }

  /// The formats of purchase logs that are known by their files, in words.
  package static var feeds: String { Phrase.list(PurchaseCatalog.all.map(\.name)) }

  private let request: Request
  /// Asks whoever sits at the terminal which of some names is right; nil where nobody does, or no answer came.
  private let ask: (_ question: String, _ choices: [String]) -> String?

  package init(_ request: Request, ask: @escaping (_ question: String, _ choices: [String]) -> String?) {
    self.request = request
    self.ask = ask
  }

  /// Writes the job file.
  ///
  /// - Throws: `OfferliftError`, exit 64 where what was typed cannot be, 65 where nothing can be made of a file, 66
  ///   where one is not there, 73 where the job file is there already or cannot be written.
  package func report(threads: Int) async throws -> Report {
    let name = try jobName
    let path = request.output ?? "\(name).yml"
    let file = URL(fileURLWithPath: path).standardizedFileURL
    if !request.overwrites, FileManager.default.fileExists(atPath: file.path) {
      throw OfferliftError(
        .cannotCreateOutput, "\(path) is there already. Name another with --output FILE, or write it anew with --force."
      )
    }
    var recognition = try Recognition(request.files, job: file)
    try recognition.read(naming: name)
    guard !recognition.survey.groups.isEmpty else { throw nobodyAssigned(recognition) }
    let baselines = try baselines(recognition.survey)
    let currency = currency(recognition)
    let head = JobText.Head(
      name: name, currency: currency, timezone: request.timezone, baselines: baselines, version: Product.version)
    try write(JobText(head, recognition).text, to: file, path)
    let check = await JobCheck(path, threads: threads, samples: recognition.samples).report()
    return Report(
      job: path, guesses: recognition.sentences, questions: questions(recognition, baselines, path), check: check,
      again: InitAgain(request, name: name, check.remedies).command, next: next(path, recognition.survey))
  }

  private func write(_ text: String, to file: URL, _ path: String) throws {
    do {
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      throw OfferliftError(.cannotCreateOutput, "\(path) cannot be written; name another place with --output FILE.")
    }
  }

  private func nobodyAssigned(_ recognition: Recognition) -> OfferliftError {
    recognition.assignments.isEmpty
      ? OfferliftError(
        .usage,
        "The log does not say who is in which group (offeringId, testGroupId): give the assignments, --assignments FILE."
      )
      : OfferliftError(
        .badData, "None of the assignments can be read: \(recognition.sentences.joined(separator: "; ")).")
  }

  // MARK: - What the command line may say

  /// The job's name: as told, else the job file's, else what the files are called.
  private var jobName: String {
    get throws {
      let file = request.output.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent }
      let name = request.name ?? file ?? JobName.name(of: request.files)
      guard name.utf8.allSatisfy({ $0 == 45 || $0 == 95 || (48...57).contains($0) || (65...90).contains($0 & 0xdf) }),
        !name.isEmpty
      else {
        throw OfferliftError(
          .usage, "\"\(name)\" names the folder of the results: use letters, digits, - and _ only; --name says it.")
      }
      return name
    }
  }

  private func currency(_ recognition: Recognition) -> Guess<String> {
    if let reported = request.currency { return Guess(reported, .certain, "as told") }
    let survey = recognition.survey
    guard let first = survey.currencies.first, !recognition.guessesCurrency else {
      if let code = recognition.planCurrency { return Guess(code, .likely, "the server's plan is in it") }
      return Guess("USD", .guess, "no charge tells one; --currency says it")
    }
    let all = survey.currencies.reduce(0) { $0 + $1.charges }
    return first.charges == all
      ? Guess(first.code, .certain, "every charge is in it")
      : Guess(first.code, .likely, "\(Phrase.percent(Double(first.charges) / Double(all))) of the charges are in it")
  }

  private typealias Baselines = [(offering: String, groups: [String], guess: Guess<String>?)]

  private func baselines(_ survey: InputSurvey) throws -> Baselines {
    let known = Set(survey.groups.values.flatMap(\.self))
    if let reported = request.baseline, !known.contains(reported) {
      throw OfferliftError(
        .usage, "--baseline \"\(reported)\": there is no such group; \(hint(for: reported, among: known.sorted()))")
    }
    return survey.groups.sorted { $0.key < $1.key }.map { offering, groups in
      if let reported = request.baseline, groups.contains(reported) {
        return (offering, groups, Guess(reported, .certain, "as told"))
      }
      if let guess = BaselineGuess.baseline(among: groups) { return (offering, groups, guess) }
      let answer = ask("Which group of \"\(offering)\" are the others compared with?", groups)
      return (offering, groups, answer.map { Guess($0, .certain, "as told") })
    }
  }

  // MARK: - What is told

  private func questions(_ recognition: Recognition, _ baselines: Baselines, _ path: String) -> [String] {
    let unknown = baselines.filter { $0.guess == nil }.map { entry in
      "Nobody but you can know which group of \"\(entry.offering)\" the others are compared with: "
        + "\(Phrase.list(entry.groups)). Take away the # before baseline: in \(path), with the right one, or type init again "
        + "with --baseline NAME --force."
    }
    let missing = recognition.assignments.compactMap(\.missingCatalog) + [MissingMoney(recognition)?.sentence]
    let notes = unknown + missing.compactMap(\.self)
    let currencies = recognition.survey.currencies
    guard currencies.count > 1, recognition.rates == nil else { return notes }
    let others = currencies.dropFirst().map { "\($0.code) (\(Phrase.count($0.charges, "charge")))" }
    return notes + [
      "Charges are in \(currencies[0].code), and \(Phrase.list(others)) as well: give the rates, --rates FILE with date, "
        + "currency, rate."
    ]
  }

  private func next(_ path: String, _ survey: InputSurvey) -> [String] {
    let zone = request.timezone.flatMap { TimeZone(identifier: $0) } ?? .gmt
    let date = survey.last.map { last in
      " --date \(Night.name(endingAt: Instant(milliseconds: last.milliseconds + 1), timezone: zone))"
    }
    return ["offerlift check \(path)", "offerlift run \(path)\(date ?? "")"]
  }
}
