import Domain
import Engine
import Foundation
import Jobs
import Platform

/// Files that a job names by one path or glob.
struct FileGroup {
  /// As the job file has it, relative to its folder.
  let path: String
  /// The files, in order of their paths.
  let files: [InputFile]

  /// The group of a path or glob, relative to the working directory.
  ///
  /// - Throws: `OfferliftError`, exit 66, where there is no such file.
  private init(_ typed: String, folder: URL) throws {
    let file = URL(fileURLWithPath: typed).standardizedFileURL
    path = Self.path(of: file.path, from: folder.standardizedFileURL.path)
    _ = try InputFile.pathOfFile(at: file.path, displayName: typed)
    // What is typed may be a pattern, and the folder in which it is typed is none.
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).appendingPathComponent("job.yml")
    let input = TableInput("what is typed", path: typed, format: .csv)
    let found = try? input.files(relativeTo: here)
    guard let found, !found.isEmpty else {
      _ = try input.found(relativeTo: here)
      if let remedy = ShellPath(typed).remedy { throw OfferliftError(.inputMissing, "\(typed): \(remedy).") }
      guard !TableInput.isFolder(file.path) else {
        throw OfferliftError(
          .inputMissing, "\(typed) is a folder. Name the files in it: '\(TableInput.files(in: typed))'.")
      }
      throw OfferliftError(.inputMissing, "\(typed): there is no such file.\(NearestPath.hint(typed))")
    }
    files = found.map { InputFile(path: $0.path, displayName: typed) }
  }

  /// The groups that a list of paths and globs makes: one of all where one glob names them and no other file.
  ///
  /// - Throws: `OfferliftError`, exit 66, where there is no such file.
  static func groups(of typed: [String], folder: URL) throws -> [FileGroup] {
    let groups = try typed.map { try FileGroup($0, folder: folder) }
    // Refunds may have the columns that charges have.
    guard groups.count > 1, Set(typed.map(RefundTable.isCalledSo)).count == 1, let glob = commonGlob(typed),
      let one = try? FileGroup(glob, folder: folder),
      Set(one.files.map(\.path)) == Set(groups.flatMap { $0.files.map(\.path) }), areAlike(groups)
    else { return groups }
    return [one]
  }

  /// All that are not empty are of one purchase format, or of none, and have the same columns; objects may have any.
  private static func areAlike(_ groups: [FileGroup]) -> Bool {
    let reported = groups.filter { group in (try? FileSample.isEmpty(group.files[0])) != true }
    let samples = reported.map { group in try? FileSample(group.files[0], rows: 1) }
    return samples.allSatisfy { sample in
      sample?.purchases == samples[0]?.purchases && (sample?.table == .jsonl || sample?.names == samples[0]?.names)
    }
  }

  /// What the first file with a row shows; the others are taken to be like it.
  ///
  /// - Throws: as `FileSample.init`.
  var sample: FileSample {
    get throws {
      for file in files where try !FileSample.isEmpty(file) {
        let sample = try FileSample(file)
        if !sample.rows.isEmpty { return sample }
      }
      return try FileSample(files[0])
    }
  }

  /// `log-*.csv` for `log-01.csv` and `log-02.csv`; nil where the paths differ in a folder.
  private static func commonGlob(_ paths: [String]) -> String? {
    let prefix = paths.dropFirst().reduce(paths[0]) { $0.commonPrefix(with: $1) }
    let rests = paths.map { String($0.dropFirst(prefix.count)) }
    let suffix = rests.map { String($0.reversed()) }
    let end = String(suffix.dropFirst().reduce(suffix[0]) { $0.commonPrefix(with: $1) }.reversed())
    return rests.contains { $0.contains("/") } ? nil : "\(prefix)*\(end)"
  }

  /// The path of a file as a folder's files name it.
  private static func path(of file: String, from folder: String) -> String {
    let (file, folder) = (file.split(separator: "/"), folder.split(separator: "/"))
    var shared = 0
    while shared < min(file.count - 1, folder.count), file[shared] == folder[shared] { shared += 1 }
    let up = Array(repeating: "..", count: folder.count - shared)
    return (up + file[shared...].map(String.init)).joined(separator: "/")
  }
}
