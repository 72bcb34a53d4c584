import Domain
import Jobs
import Measurement
import Synchronization

/// Reads a job's inputs as a run does, and takes the rows that are one user's.
struct CapturedRows {
  private let job: Job
  private let context: RunContext
  private let logs: PurchaseLogs
  private let threads: Int
  private let ids: UserIDs
  private let identities: Identities
  private let cutoff: Instant

  private(set) var rows: [CapturedRow] = []
  private(set) var charges: TracedCharges
  /// What is not in order with some file.
  private(set) var warnings: [String] = []

  /// - Parameter table: an assignment input's table, by the input's number.
  /// - Throws: `OfferliftError`, as a run: a missing input (66), a damaged one (65), a wrong column (78).
  init(
    of ids: UserIDs, _ identities: Identities, in job: Job, _ context: RunContext, _ logs: PurchaseLogs,
    cutoff: Instant, threads: Int,
    table: @escaping @Sendable (Int) -> AssignmentTable
  ) async throws {
    (self.job, self.context, self.logs, self.threads) = (job, context, logs, threads)
    (self.ids, self.identities, self.cutoff) = (ids, identities, cutoff)
    let request = UserCapture.Request(ids: ids, identities: identities, cutoff: cutoff)
    charges = TracedCharges(of: [], claims: [], request)
    if job.population != .logged { try await readAssignments(table) }
    if let input = job.identities { try readIdentities(input) }
    try await readPurchases(request)
  }

  // MARK: - Tables

  private mutating func readAssignments(_ table: @escaping @Sendable (Int) -> AssignmentTable) async throws {
    let found = try SameFiles.marked(
      job.assignments.map { SameFiles.Candidate.all(try $0.files(relativeTo: job.file, in: context), of: $0) })
    let files = found.enumerated().flatMap { number, files in
      files.filter { $0.sameAs == nil }.map { (input: number, file: $0) }
    }
    let captured = Mutex<[Int: [CapturedRow]]>([:])
    let readings = try await FileQueue.read(files.map(\.file), limit: threads, state: {}) { [ids] _, position, file in
      let input = files[position].input
      let capture = RowCapture<CapturedAssignment>(fields: AssignmentTable.keyFields.count) {
        ids.stand(in: $1, of: $0, fields: 0..<1)
      }
      let reading = try table(input).read(file, capturing: capture).reading
      let rows = capture.rows.map { CapturedRow(.assignments(input), file.displayName, $0, $0.decoded) }
      captured.withLock { $0[position, default: []] += rows }
      return reading
    }
    accept(captured.withLock { $0 }, readings)
  }

  private mutating func readIdentities(_ input: TableInput) throws {
    let files = try input.countedFiles(relativeTo: job.file, in: context).filter { $0.sameAs == nil }
    var (captured, readings): ([Int: [CapturedRow]], [FileReading]) = ([:], [])
    for (position, file) in files.enumerated() {
      let capture = RowCapture<Void>(fields: 2) { [ids] in ids.stand(in: $1, of: $0, fields: 0..<2) }
      readings.append(
        try IdentityTable(input: input, job: job).read(file, into: IdentityLinks(), capturing: capture))
      captured[position] = capture.rows.map { CapturedRow(.identities, file.displayName, $0, nil) }
    }
    accept(captured, readings)
  }

  /// Takes what was captured of files, by their places among the readings.
  private mutating func accept(_ captured: [Int: [CapturedRow]], _ readings: [FileReading]) {
    for (position, reading) in readings.enumerated() {
      for var row in (captured[position] ?? []).sorted(by: { $0.position < $1.position }) {
        row.isOfDamagedFile = !reading.isWhole
        rows.append(row)
      }
    }
    warnings += readings.compactMap(\.warning)
  }

  // MARK: - Purchase logs

  private mutating func readPurchases(_ request: UserCapture.Request) async throws {
    // Whether signatures hold is asked of the rows that are found alone.
    let files = logs.files.map { file in
      var file = file
      file.log = file.log.withoutVerification
      return file
    }
    var (found, readings) = try await read(files, request)
    let transactions = found.values.reduce(into: Set<UInt64>()) { $0.formUnion($1.transactions) }
    charges = TracedCharges(of: transactions, claims: claims(of: found, request), request)
    if isSharedWithOthers(found, transactions, request) {
      var asking = request
      asking.wanted = ChargeOwners(of: transactions, count: transactions.count)
      (found, readings) = try await read(files, asking)
      charges = TracedCharges(
        of: transactions, claims: found.filter { readings[$0.key].isWhole }.flatMap(\.value.claims), request)
      found = found.mapValues { $0.with(rows: $0.rows.compactMap(ofUser)) }
    }
    try await verify(&found, request)
    accept(found.mapValues(\.rows), readings)
  }

  /// Reads files, and returns what each has of the user, by its number, and what came of reading it.
  private func read(
    _ files: [PurchaseLogs.File], _ request: UserCapture.Request
  ) async throws -> (found: [Int: UserCapture.Found], readings: [FileReading]) {
    let found = Mutex<[Int: UserCapture.Found]>([:])
    let readings = try await logs.read(files, state: {}) { _, number, file in
      var capture = UserCapture(request, file)
      let reading = try file.log.read(file.file, into: &capture)
      found.withLock { [found = capture.found] in $0[number, default: UserCapture.Found()].merge(found) }
      return reading
    }
    return (found.withLock { $0 }, readings)
  }

  /// The user's own charges.
  private func claims(of found: [Int: UserCapture.Found], _ request: UserCapture.Request) -> [ChargeClaim] {
    found.values.flatMap(\.rows).flatMap(\.events).flatMap(\.routed).compactMap { routed in
      routed.withEvent { ChargeClaim($0, request) }
    }
  }

  /// Some event follows a charge of a transaction that both the user's rows and another's name: whose that is, the user's
  /// own rows do not tell.
  private func isSharedWithOthers(
    _ found: [Int: UserCapture.Found], _ transactions: Set<UInt64>, _ request: UserCapture.Request
  ) -> Bool {
    if found.values.contains(where: { !$0.followedByOthers.isDisjoint(with: transactions) }) { return true }
    let own = Set(claims(of: found, request).map(\.transaction))
    let routed = found.values.flatMap(\.rows).flatMap(\.events).flatMap(\.routed)
    return routed.contains { routed in
      routed.withEvent { $0.referencedTransaction.map { !own.contains($0) } ?? false }
    }
  }

  /// The row without events that are another's; nil where nothing of it is the user's.
  private func ofUser(_ row: CapturedRow) -> CapturedRow? {
    var row = row
    row.events.removeAll { event in
      guard let first = event.routed.first else { return false }
      return first.withEvent { !ids.contains($0.user) && !charges.isUsers($0) }
    }
    return row.isNamed || !row.events.isEmpty ? row : nil
  }

  /// Reads the rows that were found in signed logs once more, with their signatures: what does not hold is not routed.
  private func verify(_ found: inout [Int: UserCapture.Found], _ request: UserCapture.Request) async throws {
    var asking = request
    asking.wanted = charges.owners
    let signed = logs.files.filter { $0.log.verifier != nil }.compactMap { file -> PurchaseLogs.File? in
      guard let rows = found[file.number]?.rows, !rows.isEmpty else { return nil }
      var file = file
      file.log.chosenRows = Set(rows.map(\.position))
      return file
    }
    guard !signed.isEmpty else { return }
    let verified = try await read(signed, asking).found
    for file in signed {
      let rows = (verified[file.number]?.rows ?? []).compactMap(ofUser)
      let byPosition = Dictionary(rows.map { ($0.position, $0) }) { first, _ in first }
      found[file.number] = found[file.number].map { known in
        known.with(rows: known.rows.map { $0.verified(as: byPosition[$0.position]) })
      }
    }
  }
}

extension CapturedRow {
  /// Of a table.
  fileprivate init<Decoded>(
    _ source: Source, _ file: String, _ row: RowCapture<Decoded>.Row, _ assignment: CapturedAssignment?
  ) {
    self.init(
      source: source, file: file, position: row.reject.position, excerpt: row.reject.excerpt, fields: row.fields,
      assignment: assignment,
      refusal: row.isRefused ? RowRefusal(reason: row.reject.reason, detail: row.reject.detail) : nil)
  }

  /// The same row as it shows itself, with what counts of it once its signatures were checked.
  fileprivate func verified(as other: CapturedRow?) -> CapturedRow {
    var row = self
    (row.voids, row.enrolments) = (other?.voids ?? [], other?.enrolments ?? [])
    row.refusal = other?.refusal
    var rest = other?.events ?? []
    for event in row.events.indices {
      let first = row.events[event].routed.first
      let position = rest.firstIndex { other in
        first.map { first in other.routed.first.map { first.isSame(as: $0) } ?? false } ?? false
      }
      row.events[event].routed = position.map { rest.remove(at: $0).routed } ?? []
    }
    return row
  }
}

extension UserIDs {
  /// Whether a row of a table names one of them in one of its first fields, or, where it could not be taken apart, anywhere.
  fileprivate func stand(in row: Int, of batch: RecordBatch, fields: Range<Int>) -> Bool {
    guard batch.isSound(row) else { return stand(in: batch.bytes(of: row)) }
    return fields.contains { contains(batch.fields(of: row)[$0].bytes) }
  }
}
