import Domain
import Foundation
import Jobs
import Platform
import Subprocess
import Synchronization

/// What programs write that a job names in place of files (`command:`), kept on a disk for every night of a run.
///
/// A program is started once, without a shell, in the job file's folder. What it writes to its standard output is the
/// file, whatever that holds; what it says on standard error is shown where it fails.
actor ProgramOutputs {
  /// Where the bytes are kept, unless the environment's `TMPDIR` names another.
  private let folder: String
  /// What was written, by the line of the job file.
  private var written: [Int: ScratchFile] = [:]

  init(in folder: String) {
    self.folder = folder
  }

  /// The job with what its programs wrote in the place of files.
  ///
  /// - Throws: `OfferliftError`: 66 where a program cannot be started, 65 where it fails, 73 or 74 where its bytes cannot be
  ///   kept.
  func bring(into job: Job) async throws -> Job {
    var programs: [(table: TableInput, words: [String])] = []
    job.forEachTable { table in table.command.map { programs.append((table, $0)) } }
    for (table, words) in programs where written[table.line] == nil {
      written[table.line] = try await output(of: words, for: table, job)
    }
    var changed = job
    changed.changeTables { table in
      guard table.command != nil, let file = written[table.line] else { return }
      table.brought = [BroughtFile(path: file.path, name: table.path)]
    }
    return changed
  }

  private func output(of words: [String], for table: TableInput, _ job: Job) async throws -> ScratchFile {
    let place = "\(job.file.lastPathComponent), line \(table.line): \(table.path)"
    // Of a first night the folder of the results is not there yet.
    try Folder.create(folder)
    let file = try ScratchFile(in: folder)
    let target = open(file.path, O_WRONLY | O_CLOEXEC)
    guard target >= 0 else { throw OutputFailure.error("write a temporary file in", file.folder) }
    let home = job.file.deletingLastPathComponent()
    let executable: Executable =
      words[0].contains("/")
      ? .path(.init(URL(fileURLWithPath: words[0], relativeTo: home).path)) : .name(words[0])
    let last = Mutex("")
    do {
      let result = try await Subprocess.run(
        executable, arguments: Arguments(Array(words.dropFirst())), environment: .inherit,
        workingDirectory: .init(home.path), input: .none,
        output: .fileDescriptor(.init(rawValue: target), closeAfterSpawningProcess: true), error: .sequence
      ) { execution in
        for try await line in execution.standardError.strings() where line.contains(where: { !$0.isWhitespace }) {
          last.withLock { $0 = line.trimmingCharacters(in: .whitespacesAndNewlines) }
        }
      }
      guard result.terminationStatus.isSuccess else {
        let said = last.withLock { $0.isEmpty ? "it said nothing" : "it said: \($0)" }
        throw OfferliftError(
          .badData, "\(place) ended with \(result.terminationStatus); \(said). Type it by itself to see what is wrong.")
      }
      return file
    } catch let error as SubprocessError {
      throw OfferliftError(
        .inputMissing, "\(place) cannot be started (\(error)). Install the program, or correct its name.")
    }
  }
}
