import Domain
import Foundation
import Jobs
import Platform
import Subprocess

/// What programs write that a job names in place of files (`command:`), kept on a disk for every night of a run.
///
/// A program is started once, without a shell, in the job file's folder. What it writes to its standard output is the
/// file, whatever that holds; what it says on standard error is shown where it fails. One that writes nothing for long is
/// ended: a night waits for nobody without end.
actor ProgramOutputs {
  /// Where the bytes are kept, unless the environment's `TMPDIR` names another.
  private let folder: String
  /// What was written, by the line of the job file.
  private var written: [Int: ScratchFile] = [:]

  /// For so many seconds a program may write nothing.
  private let patience: Double

  init(in folder: String, patience: Double = 3600) {
    (self.folder, self.patience) = (folder, patience)
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
      table.brought = [MaterializedInput(path: file.path, name: table.path)]
    }
    return changed
  }

  private func output(of words: [String], for table: TableInput, _ job: Job) async throws -> ScratchFile {
    let position = "\(job.file.lastPathComponent), line \(table.line): \(table.path)"
    // Of a first night the folder of the results is not there yet.
    try Folder.create(folder)
    let file = try ScratchFile(in: folder)
    let said = try ScratchFile(in: folder)
    let (target, errors) = (try Self.opened(file), try Self.opened(said))
    let home = job.file.deletingLastPathComponent()
    let executable: Executable =
      words[0].contains("/")
      ? .path(.init(URL(fileURLWithPath: words[0], relativeTo: home).path)) : .name(words[0])
    let patience = patience
    do {
      let result = try await Subprocess.run(
        executable, arguments: Arguments(Array(words.dropFirst())), environment: .inherit,
        workingDirectory: .init(home.path), input: .none,
        output: .fileDescriptor(.init(rawValue: target), closeAfterSpawningProcess: true),
        error: .fileDescriptor(.init(rawValue: errors), closeAfterSpawningProcess: true)
      ) { execution in
        try await Self.wait(for: execution.processIdentifier.value, writing: [file.path, said.path], patience)
      }
      guard result.closureResult else {
        throw OfferliftError(
          .badData,
          "\(position) was ended: it wrote nothing for \(Int(patience)) seconds, or complained without end. Type it by itself to "
            + "see what it waits for.")
      }
      guard result.terminationStatus.isSuccess else {
        let last = Self.lastLine(of: said.path).map { "it said: \($0)" } ?? "it said nothing"
        throw OfferliftError(
          .badData,
          "\(position) ended with \(result.terminationStatus); \(last). Type it by itself to see what is wrong.")
      }
      return file
    } catch let error as SubprocessError {
      throw OfferliftError(
        .inputMissing, "\(position) cannot be started (\(error)). Install the program, or correct its name.")
    }
  }

  /// So many bytes a program may say on standard error.
  private static let mostSaid: Int64 = 64 << 20

  private static func opened(_ file: ScratchFile) throws -> Int32 {
    let descriptor = open(file.path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OutputFailure.error("write a temporary file in", file.folder) }
    return descriptor
  }

  /// Waits until a process has ended; false where it was ended here, as it stood still.
  private static func wait(for process: pid_t, writing files: [String], _ patience: Double) async throws -> Bool {
    var (written, since, pause) = ([Int64](), ContinuousClock.now, 10)
    while !hasEnded(process) {
      let sizes = files.map { FileState($0)?.size ?? 0 }
      if sizes != written { (written, since) = (sizes, .now) }
      if ContinuousClock.now - since > .seconds(patience) || sizes[1] > mostSaid {
        ProcessTree.end(process)
        return false
      }
      try await Task.sleep(for: .milliseconds(pause))
      pause = min(pause * 2, 200)
    }
    return true
  }

  /// Whether a child has ended; whoever started it has still to be told.
  private static func hasEnded(_ process: pid_t) -> Bool {
    var about = siginfo_t()
    let status = waitid(P_PID, id_t(process), &about, Int32(WEXITED | WNOHANG | WNOWAIT))
    return status != 0 || about.si_signo == SIGCHLD
  }

  /// The last line that is not blank of what a program said.
  private static func lastLine(of path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    let most: UInt64 = 64 << 10
    let end = (try? file.seekToEnd()) ?? 0
    try? file.seek(toOffset: end > most ? end - most : 0)
    let text = String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.last { !$0.isEmpty }
  }
}
