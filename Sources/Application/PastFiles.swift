import Analysis
import Domain
import Engine
import Foundation
import Jobs
import Measurement

/// What of today's files the previous night had read.
struct PastFiles {
  /// By input and name; of a file that was appended to, as many bytes as there were.
  private(set) var extents: [String: [String: FileExtent]] = [:]
  /// A file has another content than that night, or is gone. One that lies under another name now is not.
  var areRewritten: Bool { changes.values.contains { $0 != .grown } }
  /// What became of files that are not what that night had read.
  private(set) var changes: [FileName: ChangedFile.Change] = [:]
  /// There is nothing that night had not read, rewritten files aside.
  private(set) var areAll = true

  /// - Throws: `OfferliftError` where a file cannot be read any more.
  init(of previous: PreviousNight, now accounts: [FileAccount], job: Job) throws {
    let before = Dictionary(previous.files.map { (FileName(input: $0.input, file: $0.file), $0) }) { first, _ in first }
    let contentsBefore = Set(previous.files.map { FileContent($0) })
    let contents = Set(accounts.map { FileContent($0) })
    for account in accounts {
      guard !contentsBefore.contains(FileContent(account)) else {
        retain(account)
        continue
      }
      let was = before[FileName(input: account.input, file: account.file)]
      guard let was, !contents.contains(FileContent(was)) else {
        areAll = false
        continue
      }
      if try Self.file(account, job).begins(with: was.bytes, crc32: was.crc32) {
        retain(account, limit: was.bytes)
        areAll = false
        changes[FileName(input: account.input, file: account.file)] = .grown
      } else {
        retain(account)
        changes[FileName(input: account.input, file: account.file)] = .replaced
      }
    }
    let names = Set(accounts.map { FileName(input: $0.input, file: $0.file) })
    for file in previous.files where !contents.contains(FileContent(file)) {
      let name = FileName(input: file.input, file: file.file)
      if !names.contains(name) { changes[name] = .gone }
    }
  }

  private mutating func retain(_ account: FileAccount, limit: Int64? = nil) {
    extents[account.input, default: [:]][account.file] = FileExtent(limit: limit)
  }

  private static func file(_ account: FileAccount, _ job: Job) -> InputFile {
    let url = URL(fileURLWithPath: account.file, relativeTo: job.file.deletingLastPathComponent())
    return InputFile(path: url.path, displayName: account.file)
  }
}

extension ChangedFile {
  /// Every file behind a change of the time before the previous night's cut-off, by input and file.
  static func all(
    late: [LateFile], others: [FileName: Change], since previous: PreviousNight, now accounts: [FileAccount]
  ) -> [ChangedFile] {
    let was = Dictionary(
      previous.files.map { (FileName(input: $0.input, file: $0.file), Rows(read: $0.rows, used: $0.used)) }
    ) { first, _ in first }
    let now = Dictionary(
      accounts.map { (FileName(input: $0.input, file: $0.file), Rows(read: $0.rows, used: $0.used)) }
    ) { first, _ in first }
    let came = late.map { file in
      ChangedFile(
        input: file.input, file: file.file, change: .late, since: previous,
        now: now[FileName(input: file.input, file: file.file)], late: file.counts)
    }
    let changed = others.map { name, change in
      ChangedFile(
        input: name.input, file: name.file, change: change, since: previous, before: was[name], now: now[name])
    }
    return came + changed.sorted { ($0.input, $0.file) < ($1.input, $1.file) }
  }
}

/// What a file of an input is called.
struct FileName: Hashable {
  var input: String
  var file: String
}

/// What a file of an input holds.
struct FileContent: Hashable {
  var input: String
  var bytes: Int64
  var crc32: UInt32

  init(_ account: FileAccount) {
    (input, bytes, crc32) = (account.input, account.bytes, account.crc32)
  }

  init(_ file: EarlierNight.File) {
    (input, bytes, crc32) = (file.input, file.bytes, file.crc32)
  }
}
