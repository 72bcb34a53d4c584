import Domain
import Engine
import Foundation
import Jobs
import Measurement
import Platform

/// What a task of Spark does with the rows it is handed: the child process that `SELECT TRANSFORM` starts.
///
/// Rows come on the standard input and leave on the standard output. However it goes, all of the input is read; the
/// sentence of an error comes last.
package struct SparkTask {
  private let stage: SparkStage
  private let run: ExchangedRun
  private let manifest: SparkManifest
  private let plan: String
  private let lines: LineReader
  private let output: TaskOutput

  /// - Parameters:
  ///   - folder: where the plan's files lie, beside the program.
  ///   - read: reads a job file.
  /// - Throws: `OfferliftError` where the plan is not there or not this program's.
  package init(_ stage: SparkStage, in folder: URL, reading read: JobReading) throws {
    self.stage = stage
    manifest = try SparkManifest(of: folder)
    plan = try SparkManifest.hash(in: folder)
    run = try manifest.run(in: folder, reading: read)
    lines = LineReader(.standardInput)
    output = TaskOutput(.standardOutput)
  }

  /// Reads what is left of the standard input, for who has failed.
  package static func drainInput() { LineReader(.standardInput).drain() }

  /// Does the stage's work.
  ///
  /// - Throws: `OfferliftError`, as the work does by itself; 70 where Spark hands on other rows than the plan's.
  package func work() async throws {
    let memory = MemoryLimit(ByteSize(bytes: manifest.taskMemory), folder: FileManager.default.currentDirectoryPath)
    switch stage {
    case .read: try readFiles(memory)
    case .resolve: try resolve(memory)
    case .count: try await count(memory)
    case .identify: try await identify(memory)
    }
  }

  private var outlet: BlockOutlet {
    { [output] in try output.write(TaskRow($0)) }
  }

  private func end(_ accepted: RowCounts, names: UInt32? = nil) throws {
    try output.end(TaskTrailer(stage: stage, plan: plan, accepted: accepted, written: output.counts, names: names))
  }

  // MARK: - Files

  private func readFiles(_ memory: MemoryLimit) throws {
    let task = try FileTask(run)
    let rows = try FileRows(lines)
    let names = FileNames(manifest)
    while let file = try rows.nextFile() {
      guard manifest.inputs.indices.contains(file.input) else {
        throw OfferliftError(.internalError, "\(file.address): the plan has no input \(file.input).")
      }
      try read(file, names.name(ofFileAt: file.address, input: file.input), task, memory)
      while try file.next() != nil {}
    }
    try end(RowCounts())
  }

  private func read(_ file: SparkFile, _ name: String, _ task: FileTask, _ memory: MemoryLimit) throws {
    let (folder, context) = (memory.folder, RunContext(memory: memory))
    let (table, input) = (run.job.exchangedInputs[file.input], manifest.inputs[file.input])
    let (isRead, limit) = input.extent(of: name)
    guard isRead || file.isArchive else { return }
    if file.isArchive, table.isElsewhere {
      // Spark lists what lies there before anybody knows of its members.
      throw OfferliftError(
        .badData,
        "\(name) is a zip archive, of which only those are taken apart on Spark that lie on this machine's "
          + "disks. Unpack it where it lies, and name what was in it.")
    }
    if table.format == .sqlite || file.isReadInPlace {
      let copy = try WholeFile(file, named: folder)
      defer { copy.remove() }
      for part in try InputFile.files(at: copy.path, displayName: name, in: context) {
        let (isRead, limit) = input.extent(of: part.displayName)
        if isRead { try task.read(part.upTo(limit), ofInput: file.input, outlet: outlet) }
      }
      return
    }
    let feed: any ByteFeed = file.isPacked ? PackedFeed(file) : try SpooledFeed(file, in: folder)
    try task.read(InputFile(feed, displayName: name, limit: limit, in: context), ofInput: file.input, outlet: outlet)
  }

  // MARK: - Blocks

  /// Calls `body` with every row, and counts them.
  private func forEachRow(_ body: (TaskRow) throws -> Void) throws -> RowCounts {
    var (counts, number) = (RowCounts(), 0)
    while let line = try lines.line() {
      number += 1
      guard let row = TaskRow(line) else { throw damaged(number, "is cut short, or none of this plan") }
      counts.add(row)
      try body(row)
    }
    return counts
  }

  private func damaged(_ number: Int, _ what: String) -> OfferliftError {
    OfferliftError(
      .badData,
      "Row \(number) that Spark handed to a task of the stage \(stage.rawValue) \(what). Look for a lost executor or a "
        + "full disk, and submit the plan again.")
  }

  private func resolve(_ memory: MemoryLimit) throws {
    let task = try IdentityTask(run, memory: memory, threads: 1)
    let accepted = try forEachRow { try task.accept($0.block) }
    try task.finish(outlet: outlet)
    try end(accepted)
  }

  private func count(_ memory: MemoryLimit) async throws {
    let task = try PartitionTask(run, memory: memory, threads: 1)
    try manifest.forEachListed { task.list($0) }
    let accepted = try forEachRow { row in
      guard row.kind == .listed else { return try task.accept(row.block) }
      task.list(try manifest.listed(row))
    }
    try await task.finish(outlet: outlet)
    try end(accepted, names: task.namesChecksum)
  }

  private func identify(_ memory: MemoryLimit) async throws {
    let task = try AssignedIDsTask(run, memory: memory, threads: 1)
    let accepted = try forEachRow { try task.accept($0.block) }
    try await task.finish(outlet: outlet)
    try end(accepted)
  }
}
