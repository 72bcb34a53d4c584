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
  private(set) var areRewritten = false
  /// There is nothing that night had not read, rewritten files aside.
  private(set) var areAll = true

  /// - Throws: `OfferliftError` where a file cannot be read any more.
  init(of previous: PreviousNight, now accounts: [FileAccount], job: Job) throws {
    let before = Dictionary(previous.files.map { (FileName(input: $0.input, file: $0.file), $0) }) { first, _ in first }
    let contentsBefore = Set(previous.files.map { FileContent($0) })
    let contents = Set(accounts.map { FileContent($0) })
    for account in accounts {
      guard !contentsBefore.contains(FileContent(account)) else {
        keep(account)
        continue
      }
      let was = before[FileName(input: account.input, file: account.file)]
      guard let was, !contents.contains(FileContent(was)) else {
        areAll = false
        continue
      }
      if try Self.file(account, job).begins(with: was.bytes, crc32: was.crc32) {
        keep(account, limit: was.bytes)
        areAll = false
      } else {
        keep(account)
        areRewritten = true
      }
    }
    let names = Set(accounts.map { FileName(input: $0.input, file: $0.file) })
    let isGone = previous.files.contains {
      !names.contains(FileName(input: $0.input, file: $0.file)) && !contents.contains(FileContent($0))
    }
    areRewritten = areRewritten || isGone
  }

  private mutating func keep(_ account: FileAccount, limit: Int64? = nil) {
    extents[account.input, default: [:]][account.file] = FileExtent(limit: limit)
  }

  private static func file(_ account: FileAccount, _ job: Job) -> InputFile {
    let url = URL(fileURLWithPath: account.file, relativeTo: job.file.deletingLastPathComponent())
    return InputFile(path: url.path, displayName: account.file)
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
