import Analysis
import Domain
import Engine
import Jobs
import Measurement
import Recognition

/// What each input shows by itself: the small tables and the assignments whole, of every log the first rows.
struct InputLooks {
  /// One sentence for each file, and what else is worth knowing.
  private(set) var findings: [String] = []
  private(set) var problems: [OfferliftError] = []
  /// When things happened, by the input's name: `assignments`, `purchases`.
  private(set) var spans: [String: ClosedRange<Instant>] = [:]
  /// Charges by currency, and the days for which there is no rate.
  private(set) var charges: [CurrencySurvey] = []

  /// What to see to in the files before their figures can be believed.
  private(set) var remedies: [Remedy] = []

  /// What the files may mean otherwise than the job says.
  private(set) var doubts: [String] = []

  /// Inputs of logs and assignments that only Spark can read, by their addresses.
  private(set) var unseen: [TableInput] = []

  private let job: Job
  private let rowLimit: Int?
  private let samples: [String: FileSample]
  /// Files of which only the first rows were looked at.
  private var cutFiles = 0
  /// Every row of every file was looked at.
  var areWhole: Bool { cutFiles == 0 && unseen.isEmpty }

  /// - Parameter samples: files that were looked at already, by `FileSample.place`.
  init(at job: Job, rowLimit: Int?, samples: [String: FileSample]) {
    self.job = job
    self.rowLimit = rowLimit
    self.samples = samples
    let tables = try? ReferenceTables(job: job)
    let catalog = tables?.catalog ?? Catalog()
    let roster = Roster(names: EventNames(), attributes: job.segmentAttributes)
    lookAtReference()
    lookAtAssignments(roster, catalog)
    lookAtPurchases(roster, tables)
    if job.assignments.allSatisfy({ !$0.isElsewhere }) { lookAtGroups(roster, catalog) }
    findings.insert(extent, at: 0)
  }

  /// Whether the groups and attributes that the job names are those of the assignments.
  private mutating func lookAtGroups(_ roster: Roster, _ catalog: Catalog) {
    do { try AssignmentTable.refuseUnknownAttributes(of: job, roster) } catch { add(error) }
    do { try roster.refuseUnknownGroups(of: job, catalog: catalog) } catch { add(error) }
  }

  // MARK: - One kind of input after the other

  /// The small tables are read as one: they hang on one another.
  private mutating func lookAtReference() {
    let catalog = job.catalog
    let tables = [
      catalog?.offerings, catalog?.groups, catalog?.products, catalog?.copy, catalog?.responses, job.products,
      job.identities, job.exchangeRates,
    ]
    for input in tables.compactMap(\.self) {
      look(at: input) { [job] file in
        let readings = try ReferenceTables(job: job).readings
        return readings.first { $0.account.file == file.displayName } ?? FileReading(input: input.name, file: file)
      }
    }
  }

  private mutating func lookAtAssignments(_ roster: Roster, _ catalog: Catalog) {
    for input in job.assignments where isHere(input) {
      let table = AssignmentTable(input: input, job: job, catalog: catalog, cutoff: JobCheck.endOfTime, roster: roster)
      look(at: input) { try table.read($0, number: 0).reading }
    }
    if let first = roster.firstAssignment, let last = roster.lastAssignment { spans["assignments"] = first...last }
  }

  private mutating func lookAtPurchases(_ roster: Roster, _ tables: ReferenceTables?) {
    let types = EventTypes(named: job.namedEventTypes)
    var survey = LogSurvey(rates: tables)
    for input in job.purchases where isHere(input.table) {
      do {
        let log = try PurchaseLog(input, of: job, types: types, names: roster.names)
        look(at: input.table, limit: rowLimit) { [rowLimit] in try log.read($0, into: &survey, limit: rowLimit) }
      } catch {
        add(error)
      }
    }
    spans["purchases"] = survey.span
    charges = survey.currencies
    let hasRefunds = survey.types.keys.contains { $0.isRefund }
    let seen = InputRemedies(job, hasRefunds: hasRefunds, samples: samples)
    (remedies, doubts) = (seen.all, seen.doubts)
  }

  // MARK: - One file

  /// Whether an input can be looked at; where it cannot, and need not be, as Spark reads it, it is told.
  private mutating func isHere(_ input: TableInput) -> Bool {
    guard job.engine.name == .spark, input.isElsewhere else { return true }
    unseen.append(input)
    findings.append("\(input.name): \(input.path): Apache Spark reads it; it was not looked at here.")
    return false
  }

  private mutating func look(
    at input: TableInput, limit: Int? = nil, _ read: (InputFile) throws -> FileReading
  ) {
    do {
      for file in try input.countedFiles(relativeTo: job.file) { accept(try read(file), limit) }
    } catch {
      add(error)
    }
  }

  private mutating func accept(_ reading: FileReading, _ limit: Int?) {
    let isCut = limit.map { reading.account.rows >= $0 } ?? false
    if isCut { cutFiles += 1 }
    findings.append(Self.sentence(reading, isCut: isCut))
    let examples = reading.examples.map { reject in
      "\(reading.account.file), line \(reject.line): \(reject.reason.rawValue): \(reject.detail)"
    }
    // As many rejects as the job accepts are no problem, but worth a look.
    if Double(reading.account.rejected) > job.maxRejectRatio * Double(reading.account.rows) {
      problems += examples.map { OfferliftError(.badData, $0) }
    } else {
      findings += examples
    }
  }

  private static func sentence(_ reading: FileReading, isCut: Bool) -> String {
    let account = reading.account
    if let same = reading.sameAs { return "\(account.input): \(account.file): it holds the bytes of \(same.file)." }
    guard account.rows > 0 else { return "\(account.input): \(account.file): it has no rows." }
    let rows = isCut ? "of the first \(Phrase.count(account.rows)) rows" : "of \(Phrase.count(account.rows, "row"))"
    let rejects = account.rejected == 0 ? "none" : Phrase.count(account.rejected)
    return "\(account.input): \(account.file): \(rows), \(rejects) would be rejected."
  }

  /// What was looked at, and what was not.
  private var extent: String {
    guard cutFiles > 0, let rowLimit else {
      return "Looked at every row of every input\(unseen.isEmpty ? "" : " that lies on this machine")."
    }
    return
      "Looked at the first \(Phrase.count(rowLimit)) rows of each purchase log (\(Phrase.count(cutFiles, "file")) may "
      + "have more; --rows all looks at every row) and at every row of the other inputs."
  }

  /// Takes an error as a problem, once.
  private mutating func add(_ error: any Error) {
    let problem = OfferliftError(error, in: job.file.lastPathComponent)
    if !problems.contains(where: { $0.message == problem.message }) { problems.append(problem) }
  }
}

extension InputLooks {
  /// One sentence for each currency whose charges have no rate.
  var rateGaps: [String] {
    charges.filter { $0.withoutRate > 0 }.map { currency in
      let code = currency.currency.text
      let reporting = job.currency
      return
        "\(job.file.lastPathComponent), line \(job.exchangeRates?.line ?? 1): \(Phrase.count(currency.withoutRate)) of "
        + "\(Phrase.count(currency.charges, "charge")) in \(code) have no rate, from \(currency.firstGap) to "
        + "\(currency.lastGap). Add rows to the table under exchange_rates: (date, currency, rate), such as "
        + "\(currency.firstGap),\(code),RATE with the \(reporting) that 1 \(code) is worth; or say currency: \(code) if all "
        + "charges are in it."
    }
  }

  /// The same where a run sets rows aside for it.
  func rateGaps(countedIn measurement: RunMeasurement) -> [String] {
    measurement.accounts.contains { $0.setAside[.noExchangeRate] != nil } ? rateGaps : []
  }
}
