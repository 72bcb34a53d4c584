import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Jobs
@testable import Measurement

/// Tests of job files: each writes one to a folder of its own and reads it.
protocol JobTexts {
  var folder: TemporaryFolder { get }
}

extension JobTexts {
  /// The least a job must say.
  static var least: String {
    """
    job: night
    assignments: {path: a.csv}
    purchases: {path: e.jsonl, format: events}
    metrics: [{name: charges}]
    """
  }

  func read(_ yaml: String) throws -> Job {
    try folder.write("jobs/job.yml", yaml)
    return try JobReader.read(folder.path("jobs/job.yml"))
  }

  /// The least job with more lines.
  func job(_ lines: String) throws -> Job { try read(Self.least + "\n" + lines + "\n") }

  /// A job whose one metric is written so.
  func metric(_ text: String) throws -> MetricRequest {
    try #require(try read(Self.least.replacingOccurrences(of: "{name: charges}", with: text)).metrics.first)
  }

  /// Every problem of a job that is none, each without the file's name in front.
  func problems(_ yaml: String) -> [String] {
    do {
      _ = try read(yaml)
      return []
    } catch let error as OfferliftError {
      #expect(error.exit == .badJobFile)
      let start = folder.path("jobs/job.yml") + ", "
      return error.message.split(separator: "\n").map { line in
        line.hasPrefix(start) ? String(line.dropFirst(start.count)) : String(line)
      }
    } catch {
      return ["\(error)"]
    }
  }

  func problems(with lines: String) -> [String] { problems(Self.least + "\n" + lines + "\n") }
}
