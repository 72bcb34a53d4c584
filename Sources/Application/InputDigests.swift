import Foundation
import Jobs
import Measurement
import Platform

/// The SHA-256 of a night's files, for `run.json`: by it somebody who keeps the files can prove later which they were.
///
/// It was made while a file was read, or by an earlier run that left a state. A file of which it is not known is read once
/// more, beside what is done with the sums, and one that holds something else by now has none.
struct InputDigests: Sendable {
  private let accounts: [FileAccount]
  private let folder: URL
  /// Where files lie that programs have written, by what they are called.
  private let brought: [String: String]

  init(of accounts: [FileAccount], job: Job) {
    (self.accounts, folder) = (accounts, job.file.deletingLastPathComponent())
    var brought: [String: String] = [:]
    job.forEachTable { table in for file in table.brought ?? [] { brought[file.name] = file.path } }
    self.brought = brought
  }

  /// Begins to read, and returns what whoever wants the digests waits for.
  func beginning() -> Once<[[UInt8]?]> {
    let digests = Once { self.all() }
    Task.detached { _ = try? digests.get() }
    return digests
  }

  private func all() -> [[UInt8]?] {
    accounts.map { account in
      let path = brought[account.file] ?? URL(fileURLWithPath: account.file, relativeTo: folder).path
      let digest = FileDigest.known(
        of: path, displayName: account.file, bytes: account.bytes, crc32: account.crc32)
      return digest.flatMap { $0.sha256.isEmpty ? nil : $0.sha256 }
    }
  }
}
