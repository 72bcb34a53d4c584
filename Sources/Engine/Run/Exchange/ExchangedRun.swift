import Domain
import Foundation
import Jobs

/// A run whose files are read, and whose users are attributed, by tasks that share nothing but what they write to each
/// other: the tasks of a cluster.
///
/// `FileTask` reads a file into blocks; `IdentityTask` gives events their users where those are not the ones that rows name;
/// `PartitionTask` attributes and adds up some partitions of users, `AssignedIDsTask` looks at their ids; and
/// `ExchangedOutcome` makes the measurement of what they came to. All use the very code of `NativeEngine`.
package struct ExchangedRun: Sendable {
  package let job: Job
  /// The cut-off: what happens at or after it does not count.
  package let cutoff: Instant
  /// How many of the top bits of a user's hash say which partition a user is in.
  package let partitionBits: Int
  /// Whether every night since the first assignment is measured beside the one that ends at the cut-off.
  package let looksBack: Bool
  /// The earlier night that changes are told since; nil where none is asked for.
  package let since: EarlierCount?
  let types: EventTypes
  /// What the reading of the inputs shares.
  package var context = RunContext()

  /// The fewest partitions: as many as there are in memory.
  package static let fewestPartitionBits = UserDirectory.partitionBits

  package init(
    job: Job, cutoff: Instant, partitionBits: Int = fewestPartitionBits, looksBack: Bool, since: EarlierCount?
  ) {
    self.job = job
    self.cutoff = cutoff
    self.partitionBits = max(partitionBits, Self.fewestPartitionBits)
    self.looksBack = looksBack
    self.since = since
    types = EventTypes(named: job.namedEventTypes)
  }

  /// Some ids may stand for others.
  package var hasIdentities: Bool {
    job.identities != nil || job.purchases.contains { $0.reportsIdentities }
  }

  /// By input its files, those marked that hold the bytes of another; none of an input that lies elsewhere.
  ///
  /// - Throws: as `TableInput.files`.
  package func countedFiles() throws -> [[InputFile]] {
    try SameFiles.marked(
      job.exchangedInputs.enumerated().map { number, table in
        guard !table.isElsewhere else { return [] }
        let files = try table.files(relativeTo: job.file, in: context)
        guard number >= job.assignments.count else { return SameFiles.Candidate.all(files, of: table) }
        return SameFiles.Candidate.all(files, of: job.purchases[number - job.assignments.count])
      })
  }

  /// The names of a file's input and of the file, as one word that is the same in every task.
  package static func key(ofInput input: Int, file: String) -> String { "\(input):\(file)" }
}

extension Job {
  /// The tables that hold users and events, in the order in which their files are told: assignments, then purchases.
  package var exchangedInputs: [TableInput] { assignments + purchases.map(\.table) }
}

/// A block on its way from one task to another.
package struct ExchangedBlock: Sendable {
  /// Of events and assignments their partition of users; else nil.
  package var partition: Int?
  /// Key of the file it is of; empty where it is of none.
  package var file: String
  /// The block, frame and all.
  package var bytes: [UInt8]

  package init(partition: Int? = nil, file: String = "", bytes: [UInt8]) {
    self.partition = partition
    self.file = file
    self.bytes = bytes
  }

  /// It without the checksum that it ends with.
  package var unchecked: ArraySlice<UInt8> { bytes.dropLast(Block.tailSize) }

  /// What is in it, as a word; empty where it is no block.
  package var kind: String { (try? Block.head(bytes)).map { "\($0.kind)" } ?? "" }
}

/// Takes the blocks that a task writes.
package typealias BlockOutlet = @Sendable (ExchangedBlock) throws -> Void
