import Domain
import Foundation
import Jobs
import Platform

/// Which job file's nights lie in a job's folder: `DIR/<job>/.job` has its path.
///
/// Two job files may have one `job:` name by a slip, a copy say. The nights of one would replace the other's, and each
/// page would be compared with a night of another test.
struct JobHome {
  /// `DIR/<job>`.
  let folder: String
  let job: Job

  /// - Parameter takesOver: the folder is this job file's from now on, whoever's it was.
  /// - Throws: `OfferliftError` 73 where the folder is another job file's.
  func refuseOther(takesOver: Bool) throws {
    guard !takesOver, let owner = try Self.owner(of: folder), owner != path else { return }
    let isThere = try Folder.exists(owner)
    throw OfferliftError(
      .cannotCreateOutput,
      "\(folder) holds the nights of \(owner)\(isThere ? "" : ", which is not there any more"), and "
        + "\(job.file.path) has the same name, job: \(job.name). "
        + (isThere
          ? "Give one of them another name, or another --output; --take-over makes the folder this one's."
          : "If that file has moved here, run it once with --take-over; else give this one another name."))
  }

  /// Remembers the job file.
  func claim() throws {
    guard try Self.owner(of: folder) != path else { return }
    try FileWriter.replace(Self.record(in: folder), with: Array("\(path)\n".utf8))
  }

  /// The job file whose nights lie in a folder; nil where no version has remembered it.
  ///
  /// - Throws: `OfferliftError` 73 or 74 where the record cannot be read.
  static func owner(of folder: String) throws -> String? {
    let record = record(in: folder)
    guard try Folder.exists(record) else { return nil }
    let text = String(decoding: try StoredFile.bytes(of: record), as: UTF8.self).trimmingCharacters(in: .newlines)
    return text.isEmpty ? nil : text
  }

  /// Links followed, so that one file has one path.
  private var path: String { job.file.resolvingSymlinksInPath().path }
  private static func record(in folder: String) -> String { (folder as NSString).appendingPathComponent(".job") }
}
