import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Spark

extension SparkManifest {
  /// A plan of two inputs.
  static var sample: SparkManifest {
    SparkManifest(
      jobFile: "job.yml", jobPath: "/srv/jobs/job.yml", jobChecksum: 0, cutoff: 0, looksBack: true, since: nil,
      sizes: SparkSizes(for: 4),
      inputs: [
        SparkManifest.Input(
          path: "file:/srv/a.csv", files: [PlannedFile(onDisk: "/srv/a.csv", name: "a.csv", size: 3)]),
        SparkManifest.Input(path: "s3a://bucket/o'clock/*"),
      ], tables: [:], roots: [:], program: "", work: "file:/srv/plan")
  }
}

@Suite("The script of a plan")
struct PlanScriptTests {
  @Test("Every statement is a literal one, and each stage writes its folder")
  func stages() {
    let script = PlanScript(.sample, hasIdentities: false).text
    for folder in ["files", "read", "users", "sums", "ids", "result"] {
      #expect(script.contains("INSERT OVERWRITE DIRECTORY 'file:/srv/plan/\(folder)'"), "\(folder)")
    }
    #expect(script.contains("FROM parquet.`file:/srv/plan/read` WHERE kind IN ('claims', 'following')"))
    #expect(script.contains("SET spark.sql.shuffle.partitions=4"))
    #expect(
      PlanScript.stages(of: .sample, hasIdentities: false).count
        == script.matches(of: #/(?m);$/#).count)
  }

  @Test("Where ids stand for others, all users are resolved before they are counted")
  func identities() {
    let script = PlanScript(.sample, hasIdentities: true).text
    #expect(script.contains("INSERT OVERWRITE DIRECTORY 'file:/srv/plan/users'"))
    #expect(script.contains("FROM parquet.`file:/srv/plan/users` WHERE kind IN ('events', 'assignments')"))
    #expect(
      script.contains(
        "FROM parquet.`file:/srv/plan/read` WHERE kind IN ('events', 'assignments', 'claims', 'following')"))
  }

  @Test("A pattern that tells no suffix is read by every suffix that Spark would unpack by, and by none")
  func suffixes() {
    let script = PlanScript(.sample, hasIdentities: false).text
    #expect(script.contains("FROM text.`s3a://bucket/o'clock/*`"))
    for suffix in [".gz", ".bz2", ".zst"] { #expect(script.contains("LIKE '%\(suffix)'"), "\(suffix)") }
    #expect(script.contains("'io.compress.passthrough.extension'='.csv'"), "a.csv is never cut")
  }

  @Test("A row that was lost, or came twice, is missed")
  func ledgers() throws {
    var written = RowCounts()
    written.add(TaskRow(.events, partition: 1, bytes: [1, 9, 9, 9, 9]))
    let sums = TaskRow(.sums, bytes: [2, 9, 9, 9, 9])
    var summed = RowCounts()
    summed.add(sums)
    let trailers = [
      TaskTrailer(stage: .read, plan: "", accepted: RowCounts(), written: written),
      TaskTrailer(stage: .count, plan: "", accepted: written, written: summed),
      TaskTrailer(stage: .identify, plan: "", accepted: RowCounts(), written: RowCounts()),
    ]
    func check(_ trailers: [TaskTrailer], _ received: RowCounts) throws {
      try TaskLedgers(trailers, received, hasIdentities: false).check { OfferliftError(.badData, $0) }
    }
    try check(trailers, summed)
    #expect(throws: OfferliftError.self) { try check(trailers, RowCounts()) }
    #expect(throws: OfferliftError.self) { try check(Array(trailers.dropFirst()), summed) }
    #expect(throws: OfferliftError.self) { try check(Array(trailers.dropLast()), summed) }
    var twice = summed
    twice.merge(summed)
    #expect(throws: OfferliftError.self) { try check(trailers, twice) }
    var changed = RowCounts()
    changed.add(TaskRow(.sums, bytes: [3, 9, 9, 9, 9]))
    // The checksum that a block ends with says nothing of it here: with it CRC-32 is the same for all blocks.
    var elsewhere = RowCounts()
    elsewhere.add(TaskRow(.sums, file: "a", bytes: [2, 9, 9, 9, 9]))
    #expect(throws: OfferliftError.self) { try check(trailers, elsewhere) }
    #expect(throws: OfferliftError.self) { try check(trailers, changed) }
  }

  @Test("The reason of a failure is a task's own sentence, else Spark's")
  func reasons() throws {
    let folder = try TemporaryFolder()
    func failure(_ lines: String...) -> OfferliftError {
      let log = SparkLog(folder.path("log"), stages: ["a", "b"])
      lines.forEach(log.accept)
      return log.failure(of: "spark-sql", "exited(1)")
    }
    let task = failure(
      "x.SparkException: Subprocess exited with status 65. Error: offerlift: a.gz, byte 7: the file is damaged.",
      "\tat x")
    #expect(task.exit == .badData && task.message.hasPrefix("a.gz, byte 7: the file is damaged."))
    #expect(failure("[PATH_NOT_FOUND] Path does not exist: file:/x.").exit == .inputMissing)
    let killed = failure("Subprocess exited with status 137. Error: /bin/bash: line 1: 7 Killed")
    #expect(killed.exit == .internalError && killed.message.contains("7 Killed. All that"))
    let full = failure("Caused by: java.io.IOException: No space left on device")
    #expect(full.exit == .cannotCreateOutput)
    #expect(failure("26/11/23 WARN Utils: x", "Unrecognized option: --y").message.contains("Unrecognized option: --y"))
  }
}
