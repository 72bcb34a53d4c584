import Domain
import Engine
import Foundation
import Jobs
import Measurement
import Platform
import Signatures

/// A folder with all that a submission needs: the script, the manifest, the program and what every task has to have beside
/// it.
package struct PlanFolder: Sendable {
  let url: URL
  let manifest: SparkManifest

  static let program = "offerlift"
  static let script = "plan.sql"
  static let submit = "submit.sh"
  static let result = "result"

  /// A folder that holds a plan.
  ///
  /// - Throws: `OfferliftError`, as `SparkManifest`.
  package init(_ path: String) throws {
    url = URL(fileURLWithPath: path).standardizedFileURL
    manifest = try SparkManifest(of: url)
  }

  /// Makes a plan in an empty folder.
  ///
  /// - Parameters:
  ///   - work: where tasks write, as Spark names it; nil is the folder itself, which every machine must then see.
  ///   - sizes: how the run is cut into tasks; nil goes by the size of its inputs.
  ///   - isPrinted: what the run is finished from is printed by the last statement, for who submits and reads that.
  /// - Throws: `OfferliftError` where an input is missing (66), Spark would pass over a file of it (78), or the folder
  ///   cannot be written (73, 74).
  package init(
    making run: ExchangedRun, in path: String, work: String?, sizes: SparkSizes?, isPrinted: Bool = false
  ) throws {
    url = URL(fileURLWithPath: path).standardizedFileURL
    try Folder.create(url.path)
    let inputs = try zip(run.job.exchangedInputs, run.countedFiles()).map {
      try SparkManifest.Input($0, $1, of: run.job)
    }
    let shipped = ShippedFiles(url)
    let jobFile = try shipped.add(run.job.file.path)
    var tables: [String: [MaterializedInput]] = [:]
    var job = run.job
    try job.changeReferenceTables { table in
      tables[table.name, default: []] += try table.files(relativeTo: run.job.file, in: run.context).map { file in
        MaterializedInput(path: try shipped.add(file.path), name: file.displayName)
      }
    }
    try shipped.addProgram()
    var manifest = SparkManifest(
      jobFile: jobFile, jobPath: run.job.file.path, jobChecksum: run.job.fileChecksum,
      cutoff: run.cutoff.milliseconds, looksBack: run.looksBack, since: run.since,
      sizes: try sizes ?? SparkSizes(for: run), inputs: inputs, tables: tables, roots: try Self.roots(run.job),
      program: try shipped.programDigest(), work: work ?? "file:" + url.path)
    let script = PlanScript(manifest, hasIdentities: run.hasIdentities, isPrinted: isPrinted).text
    manifest.script = FileDigest.sha256(script).hexadecimal
    self.manifest = manifest
    try write(try manifest.encoded, to: SparkManifest.fileName)
    try write(Data(script.utf8), to: Self.script)
  }

  private static func roots(_ job: Job) throws -> [Int: String] {
    var roots: [Int: String] = [:]
    for (number, input) in job.purchases.enumerated() {
      guard let verification = input.verification else { continue }
      roots[number] = try RootCertificate.fingerprint(verification.root, relativeTo: job.file).hexadecimal
    }
    return roots
  }

  private func write(_ data: Data, to name: String) throws {
    let writer = try FileWriter(replacing: url.appendingPathComponent(name).path)
    try writer.write(data)
    try writer.finish()
  }

  /// Writes the command line that submits the plan, for whoever does that by other means than `offerlift run`.
  package func writeSubmitScript(_ submission: SparkSubmission) throws {
    let text = """
      #!/bin/sh
      # Submits the plan in this folder; edit the job, not this. When it has ended with 0, finish with
      #   offerlift run --from-plan \(ShellWords.quoted(url.path))
      cd "$(dirname "$0")" && exec \(submission.words(for: self).map(ShellWords.quoted).joined(separator: " "))

      """
    try write(Data(text.utf8), to: Self.submit)
    guard chmod(url.appendingPathComponent(Self.submit).path, 0o755) == 0 else {
      throw OfferliftError(.cannotCreateOutput, "\(url.path)/\(Self.submit) cannot be made executable.")
    }
  }

  /// The script.
  package var text: String {
    get throws {
      let path = url.appendingPathComponent(Self.script).path
      guard let data = FileManager.default.contents(atPath: path) else {
        throw OfferliftError(.inputMissing, "\(path): cannot be read; check the path and its rights.")
      }
      return String(decoding: data, as: UTF8.self)
    }
  }

  /// What tells the plan from every other.
  package var hash: String { get throws { try SparkManifest.hash(in: url) } }

  /// - Throws: `OfferliftError`, exit 65, where the script is not the one that was written.
  func verify() throws {
    let script = url.appendingPathComponent(Self.script)
    guard try FileDigest(of: script.path, displayName: script.path).sha256.hexadecimal == manifest.script else {
      throw OfferliftError(.badData, "\(script.path) has been changed since it was planned; make the plan anew.")
    }
  }

  /// Where what Spark prints is kept.
  var printed: String { url.appendingPathComponent("printed.log").path }

  /// Puts the rows that the last statement printed where a plan without that statement would have written them.
  func readPrinted() throws {
    let folder = url.appendingPathComponent(Self.result).path
    try Folder.create(folder)
    guard let handle = FileHandle(forReadingAtPath: printed) else {
      throw OfferliftError(.inputOutput, "\(printed) cannot be read.")
    }
    let rows = try FileWriter(replacing: folder + "/part-printed")
    let lines = LineReader(handle)
    // Statements before it print what they set.
    while let line = try lines.line() {
      if line.count(where: { $0 == UInt8(ascii: "\t") }) == TaskRow.columns.count - 1 {
        try rows.write(line)
        try rows.write([UInt8(ascii: "\n")])
      }
    }
    try rows.finish()
    try FileWriter(replacing: folder + "/_SUCCESS").finish()
  }

  /// The files that every task must have beside it: all but the script and how it is submitted.
  var shippedFiles: [String] {
    get throws {
      try Folder.names(in: url.path).filter { name in
        let path = url.appendingPathComponent(name).path
        return ![Self.script, Self.submit].contains(name) && !((try? Folder.isDirectory(path)) ?? true)
          && !name.hasSuffix(".log")
      }
    }
  }

  /// The run that was planned.
  ///
  /// - Throws: as `SparkManifest.run`.
  package func run(reading read: JobReading) throws -> ExchangedRun { try manifest.run(in: url, reading: read) }
}

/// Copies files into a plan's folder, each under a name of its own.
private final class ShippedFiles {
  private let folder: URL
  private var names: Set<String> = []

  init(_ folder: URL) {
    self.folder = folder
  }

  /// Copies a file, and returns what it is called in the folder.
  ///
  /// - Throws: `OfferliftError` where it cannot be read (66) or written (73, 74).
  func add(_ path: String, as wanted: String? = nil) throws -> String {
    let usual = wanted ?? (path as NSString).lastPathComponent
    var name = usual
    var number = 1
    while !names.insert(name).inserted {
      number += 1
      name = "\(number)-\(usual)"
    }
    let writer = try FileWriter(replacing: folder.appendingPathComponent(name).path)
    try writer.append(contentsOf: path)
    try writer.finish()
    return name
  }

  /// Copies the running program, and the libraries it has loaded.
  func addProgram() throws {
    names.formUnion([SparkManifest.fileName, PlanFolder.script, PlanFolder.submit])
    let program = try add(LoadedProgram.path, as: PlanFolder.program)
    guard program == PlanFolder.program, chmod(folder.appendingPathComponent(program).path, 0o755) == 0 else {
      throw OfferliftError(.cannotCreateOutput, "\(folder.path): the program cannot be put there.")
    }
    for library in LoadedProgram.libraries { _ = try add(library) }
  }

  func programDigest() throws -> String {
    try FileDigest(of: folder.appendingPathComponent(PlanFolder.program).path, displayName: PlanFolder.program)
      .sha256.hexadecimal
  }
}

extension SparkManifest.Input {
  /// An input as Spark reads it. Files on this machine's disks are listed; every other machine must see them, too.
  ///
  /// - Throws: `OfferliftError`, exit 78, where Spark would pass over a file of it.
  ///
  /// - Parameter found: its files, where they lie here.
  fileprivate init(_ table: TableInput, _ found: [InputFile], of job: Job) throws {
    extents = table.extents.map { $0.mapValues(\.limit) }
    if table.isElsewhere {
      (path, files) = (table.path, nil)
      return
    }
    let base = job.file.deletingLastPathComponent().path
    let onDisk = found.map { ZipArchive.Position($0.path)?.archive ?? $0.path }
    for path in onDisk { try Self.refuseWhatSparkPassesOver(path, table, job) }
    files = found.map(PlannedFile.init)
    let same = found.compactMap { file in file.sameAs.map { (file.displayName, $0) } }
    if !same.isEmpty { self.same = Dictionary(uniqueKeysWithValues: same) }
    path = "file:" + SparkPattern(table, in: base, finding: onDisk).text
  }

  private static func refuseWhatSparkPassesOver(_ path: String, _ table: TableInput, _ job: Job) throws {
    let name = (path as NSString).lastPathComponent
    let isHidden = name.hasPrefix(".") || name.hasPrefix("_") && !name.contains("=") || name.hasSuffix("._COPYING_")
    guard isHidden || path.contains(":") else { return }
    let why =
      isHidden ? "Spark passes over files of such names without a word" : "Spark reads no path with a colon in it"
    throw OfferliftError(
      .badJobFile,
      "\(job.file.lastPathComponent), line \(table.line): \(path): \(why); rename it, or run without --engine spark.")
  }
}

extension SparkSizes {
  /// As many tasks as their part of the inputs is worth: 64 MB of packed files each.
  ///
  /// Inputs whose size is not known here take 256 tasks.
  init(for run: ExchangedRun) throws {
    var bytes: Int64 = 0
    var isKnown = true
    for table in run.job.exchangedInputs {
      if table.isElsewhere {
        isKnown = false
      } else {
        bytes += try table.files(relativeTo: run.job.file, in: run.context).reduce(0) { $0 + $1.size }
      }
    }
    let tasks = isKnown ? Int(max(2, min(16_384, bytes / 64_000_000 + 1))) : 256
    self.init(for: tasks)
  }

  /// Partitions for a number of tasks: several each, so that they come out even.
  package init(for tasks: Int) {
    var bits = ExchangedRun.fewestPartitionBits
    while 1 << bits < tasks * 4, bits < Self.mostPartitionBits { bits += 1 }
    self.init(partitionBits: bits, tasks: tasks, taskMemory: 512_000_000)
  }
}
