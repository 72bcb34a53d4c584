import Domain
import Foundation
import Jobs
import Measurement

/// Reads files of a run's inputs, each apart from all others: what a file holds leaves in blocks.
package struct FileTask: Sendable {
  private let run: ExchangedRun
  private let reference: ReferenceTables

  /// - Throws: `OfferliftError` where a reference table or a root certificate cannot be read.
  package init(_ run: ExchangedRun) throws {
    self.run = run
    var job = run.job
    // Who stands for whom is settled when all files have been read.
    job.identities = nil
    reference = try ReferenceTables(job: job)
    try reference.refuseUngrantedCredits(in: job)
  }

  /// Reads one file of an input: `Job.exchangedInputs` numbers those.
  ///
  /// Events and assignments leave by partition of users while the file is read. What became of the file comes last: the
  /// rows that could not be read, its names, its transfers, its account.
  ///
  /// - Throws: `OfferliftError`, as when the file is read by itself; what `outlet` throws.
  package func read(_ file: InputFile, ofInput input: Int, outlet: @escaping BlockOutlet) throws {
    let names = EventNames()
    let key = ExchangedRun.key(ofInput: input, file: file.displayName)
    let blocks = OutgoingBlocks(bits: run.partitionBits, files: [key], outlet: outlet)
    let roster = Roster(names: names, attributes: run.job.segmentAttributes, identities: .none, onto: blocks)
    let links = IdentityLinks()
    var reading =
      if input < run.job.assignments.count {
        try readAssignments(file, of: run.job.assignments[input], into: roster)
      } else {
        try readEvents(
          file, of: run.job.purchases[input - run.job.assignments.count], into: roster, links, onto: blocks)
      }
    try roster.disk?.finish()
    reading.finish()
    try reading.rejects.forEachBlock { try outlet(ExchangedBlock(file: key, bytes: $0)) }
    let head = ExchangedFile(
      input: input, name: file.displayName, reading: reading, roster: roster.report())
    for block in [NameLists(names, values: roster.values).block, ReportedIdentities.block(links), try head.block()] {
      if let block { try outlet(ExchangedBlock(file: key, bytes: block)) }
    }
  }

  private func readAssignments(_ file: InputFile, of input: TableInput, into roster: Roster) throws -> FileReading {
    let table = AssignmentTable(
      input: input, job: run.job, catalog: reference.catalog, cutoff: run.cutoff, roster: roster)
    return try table.read(file, number: 0).reading
  }

  private func readEvents(
    _ file: InputFile, of input: PurchaseInput, into roster: Roster, _ links: IdentityLinks, onto blocks: OutgoingBlocks
  ) throws -> FileReading {
    let log = try PurchaseLog(input, of: run.job, types: run.types, names: roster.names)
    let events = PartitioningSink(
      blocks, identities: .none, rates: reference.rates, cutoff: run.cutoff.milliseconds, names: roster.names,
      types: run.types, separates: true)
    let wanted = run.job.offerings.map { Set($0.map { roster.names.offerings.code($0) }) }
    let assignments =
      run.job.population == .logged
      ? LoggedAssignments(roster: roster, cutoff: run.cutoff, wanted: wanted, file: 0) : nil
    var sink = CollectingSink(
      identities: IdentityCollector(links: links, cutoff: run.cutoff), assignments: assignments, events: events)
    var reading = try log.read(file, into: &sink)
    try sink.events?.check()
    if let calls = sink.events?.calls { reading.calls.merge(calls) }
    return reading
  }
}
