import Domain
import Foundation
import Platform
import Yams

/// Reads a job file into a job, and says everything that is wrong with it at once.
package enum JobReader {
  /// No job that people write is larger, in bytes.
  private static let sizeLimit = 16 << 20

  /// - Parameter vocabulary: what a job may name.
  /// - Throws: `OfferliftError`, exit 66 where the file is not there, 78 where it is not a job.
  package static func read(_ path: String, vocabulary: JobVocabulary) throws -> Job {
    let (job, problems) = try readAll(path, vocabulary: vocabulary)
    if let problems { throw problems }
    return job
  }

  /// The job as far as it can be understood, and what is wrong with it.
  ///
  /// - Throws: `OfferliftError` where nothing of it can be read.
  package static func readAll(
    _ path: String, vocabulary: JobVocabulary
  ) throws -> (job: Job, problems: OfferliftError?) {
    let file = URL(fileURLWithPath: path).standardizedFileURL
    guard try Folder.exists(file.path) else {
      throw OfferliftError(.inputMissing, "\(path): there is no such job file.\(NearestPath.hint(path))")
    }
    let data = Data(try RegularFile.bytes(of: file.path, displayName: path, limit: sizeLimit))
    let problems = JobProblems(file: path)
    guard let text = String(data: data, encoding: .utf8), let root = try compose(text, path) else {
      throw OfferliftError(.badJobFile, "\(path): the job file is empty or not UTF-8; see README.md for an example.")
    }
    var job = Job(name: "", file: file)
    var checksum = Checksum()
    checksum.update(data.bytes)
    job.fileChecksum = checksum.crc32
    job.inspection = vocabulary.inspection
    let section = YAMLSection(root, name: "the job", problems: problems)
    readHead(section, &job)
    job.state = state(section, beside: job.file)
    section.refuse("canary", "there is none any more, for every night counts all users; delete the line.")
    job.keepNights = keepNights(section)
    job.engine = engine(section, beside: job.file)
    readRules(section, vocabulary, &job)
    readInputs(section, vocabulary.formats, &job)
    readMetrics(section, vocabulary.metrics, &job)
    readFunnels(section, &job)
    readQuestions(section, vocabulary.checks, &job)
    section.finish()
    return (job, problems.error)
  }

  private static func compose(_ text: String, _ path: String) throws -> Node? {
    do {
      guard try !YAMLAliases.areTooMany(in: text) else {
        throw OfferliftError(
          .badJobFile,
          "\(path): its aliases (*name) stand for more than \(YAMLAliases.mostValues) values, one within another; write out what "
            + "they stand for.")
      }
      return try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw OfferliftError(.badJobFile, sentence(error, text, path))
    }
  }

  /// Whether a tab stands before all else on a line, or among the spaces there.
  private static func isIndentedByTab(_ text: String, line: Int) -> Bool {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.indices.contains(line - 1) && lines[line - 1].prefix { $0 == " " || $0 == "\t" }.contains("\t")
  }

  private static func sentence(_ error: YamlError, _ text: String, _ path: String) -> String {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      "\(path), line \(mark.line): "
        + (isIndentedByTab(text, line: mark.line)
          ? "it begins with a tab, and YAML is indented with spaces alone; write spaces in its place."
          : "this is not YAML: \(problem).")
    case .duplicatedKeysInMapping(let keys, let context):
      "\(path), line \(context.mark.line): "
        + (keys.count == 1 ? "the key \(keys[0]) stands" : "the keys \(keys.sorted().joined(separator: ", ")) stand")
        + " twice in one mapping, here and further down; keep one\(keys.count == 1 ? "" : " of each")."
    default:
      "\(path): this is not YAML: \(String(describing: error).split(separator: "\n").first ?? "unreadable")."
    }
  }

  // MARK: - Name, time, place

  private static func readHead(_ section: YAMLSection, _ job: inout Job) {
    if let name = section.required("job") {
      job.name = name
      let isPlain = name.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 95
      }
      if !isPlain || name.isEmpty {
        section.problem("job", "\"\(name)\" names the output folder: use letters, digits, - and _ only.")
      }
    }
    job.notes = section.text("notes")
    if let address = section.text("report_url") {
      do { job.reports = try ReportAddress(address) } catch {
        section.problem("report_url", (error as? OfferliftError)?.message ?? "\(error)")
      }
    }
    if let zone = timezone(section) { job.timezone = zone }
    if let code = section.text("currency") {
      if let currency = Currency(Array(code.utf8)) {
        job.currency = currency.text
      } else {
        section.problem("currency", "\"\(code)\" is not three letters.")
      }
    }
    if let output = section.text("output") {
      job.output = URL(fileURLWithPath: output, relativeTo: job.file.deletingLastPathComponent()).standardizedFileURL
    }
  }

  package static func timezone(_ section: YAMLSection) -> TimeZone? {
    guard let name = section.text("timezone") else { return nil }
    do throws(ZoneName.Fault) { return try ZoneName.zone(name) } catch {
      section.problem("timezone", "\"\(name)\" \(error.words)")
      return nil
    }
  }
}
