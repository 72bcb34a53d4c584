import Domain
import Engine
import Foundation

/// The first rows of every file that a stranger names.
struct FileSamples {
  /// A group of files by the path that the job has, and what the first of them shows.
  typealias Entry = (path: String, sample: FileSample)

  private(set) var assignments: [Entry] = []
  private(set) var purchases: [Entry] = []
  /// What the server answered when it was asked for an offering.
  private(set) var responses: Entry?

  /// - Throws: `OfferliftError`, exit 66 for a file that is not there, 65 for those that nothing can be made of, all at
  ///   once.
  init(_ files: Recognition.Files, folder: URL) throws {
    var problems: [String] = []
    assignments = try Self.look(files.assignments, folder, &problems)
    purchases = try Self.look(files.purchases, folder, &problems)
    try OfferliftError.refuse(problems)
    let stored = purchases.indices.filter { StoredResponses.isAll(of: purchases[$0].sample) }
    if stored.count == 1, purchases.count > 1 { responses = purchases.remove(at: stored[0]) }
  }

  private static func look(_ typed: [String], _ folder: URL, _ problems: inout [String]) throws -> [Entry] {
    try FileGroup.groups(of: typed, folder: folder).compactMap { group in
      do {
        let sample = try group.sample
        if let legacy = sample.legacy {
          problems.append(legacy.remedy(sample.shellInput))
        }
        return (group.path, sample)
      } catch let error as OfferliftError where error.exit == .badData {
        problems.append(error.message)
        return nil
      }
    }
  }
}

extension OfferliftError {
  /// Throws where there are problems with files, with all of them; one that two files share is told once. A problem may
  /// have several lines: a command stands on one of its own.
  static func refuse(_ problems: [String]) throws {
    let unique = problems.enumerated().filter { problems.firstIndex(of: $1) == $0 }.map(\.element)
    if !unique.isEmpty {
      throw OfferliftError(.badData, problems: unique.flatMap { $0.split(separator: "\n").map(String.init) })
    }
  }
}
