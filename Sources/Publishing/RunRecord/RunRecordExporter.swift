import Analysis
import Domain
import Foundation
import Jobs
import Measurement
import Platform

/// Writes `run.json`: what made the results, keys sorted.
///
/// Everything that differs between two runs of the same inputs (clock, timings, memory, threads) lies in `run`.
enum RunRecordExporter {
  static func bytes(of record: RunRecord, night: NightResult, job: Job) throws -> [UInt8] {
    let digests = try record.digests?.get() ?? []
    let file = File(
      asOf: night.asOf.rfc3339, engine: record.engine,
      inputs: night.accounts.enumerated().map { File.Input($1, $0 < digests.count ? digests[$0] : nil) },
      job: night.job, jobFile: job.file.lastPathComponent,
      jobFileCrc32: NumberText.checksum(job.fileChecksum),
      night: night.night, report: StoryHead(night), rows: InputRows.sums(of: night.accounts), run: File.Run(record),
      verdicts: night.verdicts.map(File.Verdict.init), version: record.version)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return Array((PrintableText.escaped(json: String(decoding: try encoder.encode(file), as: UTF8.self)) + "\n").utf8)
  }

  /// The file's members, as JSON names them.
  private struct File: Encodable {
    var asOf: String
    var engine: String
    var inputs: [Input]
    var job: String
    var jobFile: String
    var jobFileCrc32: String
    var night: String
    /// What `offerlift report` needs beside the tables.
    var report: StoryHead
    var rows: [InputRows]
    var run: Run
    var verdicts: [Verdict]
    var version: String

    struct Input: Encodable {
      var bytes: Int64
      var crc32: String
      var file: String
      var input: String
      var rows: Int
      var sha256: String?

      init(_ account: FileAccount, _ digest: [UInt8]?) {
        bytes = account.bytes
        crc32 = NumberText.checksum(account.crc32)
        file = account.file
        input = account.input
        rows = account.rows
        sha256 = digest?.hexadecimal
      }
    }

    struct Run: Encodable {
      var durationSeconds: Double
      var peakMemoryBytes: Int64
      var stages: [Stage]
      var startedAt: String
      var threads: Int

      struct Stage: Encodable {
        var name: String
        var seconds: Double
      }

      init(_ record: RunRecord) {
        durationSeconds = record.durationSeconds
        peakMemoryBytes = RunRecord.peakMemoryBytes
        stages = record.stages.map { Stage(name: $0.name, seconds: $0.seconds) }
        startedAt = record.startedAt.rfc3339
        threads = record.threads
      }
    }

    struct Verdict: Encodable {
      var decision: String
      var offeringId: String
      var sentence: String

      init(_ verdict: OfferingVerdict) {
        decision = verdict.decision.rawValue
        offeringId = verdict.offering.text
        sentence = verdict.sentence
      }
    }
  }
}
