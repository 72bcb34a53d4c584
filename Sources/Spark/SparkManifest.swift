import Domain
import Engine
import Foundation
import Jobs
import Measurement
import Platform

/// What a submission is of: everything that its tasks, and whoever finishes from what they wrote, must agree on.
struct SparkManifest: Codable, Sendable {
  /// The program's version.
  var version: String
  /// SHA-256 of the program that the tasks run.
  var program: String
  /// Name of the job file in the plan's folder, and where it lay, absolute.
  var jobFile: String
  var jobPath: String
  /// CRC-32 of the job file.
  var jobChecksum: UInt32
  /// The cut-off, in milliseconds since 1970.
  var cutoff: Int64
  var looksBack: Bool
  var since: EarlierCount?
  var partitionBits: Int
  /// How many tasks take the partitions of users.
  var tasks: Int
  /// How much memory a task may take beside Java, in bytes.
  var taskMemory: Int64
  /// The tables of users and events, in the order of `Job.exchangedInputs`.
  var inputs: [Input]
  /// By name of a reference table its files: names in the plan's folder, and what messages call them.
  var tables: [String: [MaterializedInput]]
  /// By number of a purchase input SHA-256 of the certificate that its signatures are checked against.
  var roots: [Int: String]
  /// Where tasks write, as Spark names it.
  var work: String
  /// SHA-256 of the script.
  var script = ""

  /// A table whose files Spark reads.
  struct Input: Codable, Sendable {
    /// Path or pattern, as Spark takes it.
    var path: String
    /// The files, where they lie on the disks of the machine that plans; nil: Spark lists them.
    var files: [PlannedFile]?
    /// How many bytes are read of files, by name; nil: all of every file. Of a file that is not named nothing is read.
    var extents: [String: Int64?]?
    /// By name, files that are not read because another one holds the same bytes; nil where there is none.
    var same: [String: SameFile]?
  }

  static let fileName = "plan.json"

  /// SHA-256 of a folder's manifest: what tells one plan from another.
  ///
  /// - Throws: `OfferliftError` where it cannot be read.
  static func hash(in folder: URL) throws -> String {
    try FileDigest(of: folder.appendingPathComponent(fileName).path, displayName: fileName).sha256.hexadecimal
  }

  /// Reads the manifest of a plan's folder.
  ///
  /// - Throws: `OfferliftError`, exit 66 where there is none, 65 where it is none, 78 where another version wrote it.
  init(of folder: URL) throws {
    let file = folder.appendingPathComponent(Self.fileName)
    guard let data = try? Data(contentsOf: file) else {
      throw OfferliftError(.inputMissing, "\(file.path): there is no such plan; offerlift plan writes one.")
    }
    do { self = try JSONDecoder().decode(SparkManifest.self, from: data) } catch {
      throw OfferliftError(.badData, "\(file.path) is no plan of offerlift \(Product.version); make it anew.")
    }
    guard version == Product.version else {
      throw OfferliftError(
        .badData, "\(file.path) was written by offerlift \(version), and this is \(Product.version); make it anew.")
    }
    guard isPossible else {
      throw OfferliftError(.badData, "\(file.path) asks for what no plan does; make it anew.")
    }
  }

  init(
    jobFile: String, jobPath: String, jobChecksum: UInt32, cutoff: Int64, looksBack: Bool, since: EarlierCount?,
    sizes: SparkSizes, inputs: [Input], tables: [String: [MaterializedInput]], roots: [Int: String], program: String,
    work: String
  ) {
    version = Product.version
    self.program = program
    (self.jobFile, self.jobPath, self.jobChecksum) = (jobFile, jobPath, jobChecksum)
    (self.cutoff, self.looksBack, self.since) = (cutoff, looksBack, since)
    (partitionBits, tasks, taskMemory) = (sizes.partitionBits, sizes.tasks, sizes.taskMemory)
    (self.inputs, self.tables, self.roots, self.work) = (inputs, tables, roots, work)
  }

  /// Its numbers are such as plans have.
  private var isPossible: Bool {
    (0...SparkSizes.mostPartitionBits).contains(partitionBits) && (1...SparkSizes.mostTasks).contains(tasks)
      && (1..<1 << 48).contains(taskMemory) && cutoff.magnitude < 1 << 48 && (since?.cutoff ?? 0).magnitude < 1 << 48
      && inputs.allSatisfy { input in
        (input.files ?? []).allSatisfy { (0..<1 << 48).contains($0.size) }
          && (input.extents ?? [:]).values.allSatisfy { (0..<1 << 48).contains($0 ?? 0) }
      }
  }

  var encoded: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      return try encoder.encode(self)
    }
  }

  /// The run, in a folder that has the plan's files.
  ///
  /// - Parameter read: reads a job file.
  /// - Throws: `OfferliftError` where the job file is not the one that was planned.
  func run(in folder: URL, reading read: JobReading) throws -> ExchangedRun {
    var job = try read(folder.appendingPathComponent(jobFile).path)
    guard job.fileChecksum == jobChecksum else {
      throw OfferliftError(.badData, "\(jobFile) is not the job file that was planned; make the plan anew.")
    }
    guard inputs.count == job.exchangedInputs.count, roots.keys.allSatisfy(job.purchases.indices.contains) else {
      throw OfferliftError(.badData, "\(jobFile) has other inputs than the plan; make the plan anew.")
    }
    job.file = URL(fileURLWithPath: jobPath)
    job.changeReferenceTables { table in
      table.brought = tables[table.name, default: []].map {
        MaterializedInput(path: folder.appendingPathComponent($0.path).path, name: $0.name)
      }
    }
    for (number, root) in roots { job.purchases[number].verification?.root = root }
    return ExchangedRun(
      job: job, cutoff: Instant(milliseconds: cutoff), partitionBits: partitionBits, looksBack: looksBack, since: since)
  }
}

/// Reads the job file at a path.
package typealias JobReading = @Sendable (String) throws -> Job

/// How a run is cut into tasks.
package struct SparkSizes: Sendable {
  /// How many of the top bits of a user's hash say which partition a user is in.
  package var partitionBits: Int
  /// How many tasks take those partitions.
  package var tasks: Int
  /// How much memory a task may take beside Java, in bytes.
  package var taskMemory: Int64

  /// No plan has more partitions, and more tasks.
  static let mostPartitionBits = 16
  static let mostTasks = 1 << 20

  package init(partitionBits: Int, tasks: Int, taskMemory: Int64) {
    (self.partitionBits, self.tasks, self.taskMemory) = (partitionBits, tasks, taskMemory)
  }
}
