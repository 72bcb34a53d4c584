import Domain
import Foundation
import Platform

/// A job's results as they lie on the disk, for whoever reads them and changes nothing.
package struct PublishedJob: Sendable {
  /// The folder's name, which is the job's.
  package let name: String
  /// `DIR/<job>`.
  package let folder: String

  /// The jobs below some folders, by name; a folder may be DIR or a job's own.
  ///
  /// Of two of one name, from different folders, each is called by its folder.
  ///
  /// - Throws: `OfferliftError` 66 where a folder is not there, 73 or 74 where one cannot be read.
  package static func all(in folders: [String]) throws -> [PublishedJob] {
    let found = try folders.flatMap(jobs)
    let twice = Dictionary(grouping: found, by: \.name).filter { $0.value.count > 1 }
    return found.map { twice[$0.name] == nil ? $0 : PublishedJob(name: $0.folder, folder: $0.folder) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private static func jobs(in folder: String) throws -> [PublishedJob] {
    // A link to a folder is one, too.
    let folder = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    guard try Folder.isDirectory(folder) else {
      throw OfferliftError(
        .inputMissing,
        "\(folder) is no folder; name the folder that `run` publishes into, reports say.\(NearestPath.hint(folder))")
    }
    let names = try Folder.names(in: folder)
    if names.contains(Handover.database) {
      return [PublishedJob(name: (folder as NSString).lastPathComponent, folder: folder)]
    }
    return try names.filter { !$0.hasPrefix(".") }.compactMap { name in
      let job = (folder as NSString).appendingPathComponent(name)
      // A link may lead out of the folder that is shown.
      guard try Folder.isDirectory(job), try Folder.isFile((job as NSString).appendingPathComponent(Handover.database))
      else { return nil }
      return PublishedJob(name: name, folder: job)
    }
  }

  /// `results.sqlite`, opened for reading alone.
  ///
  /// - Throws: `OfferliftError`, as `ReadOnlyDatabase`, and 73 where a newer program has written it.
  package func database(_ bounds: ReadOnlyDatabase.Bounds = ReadOnlyDatabase.Bounds()) throws -> ReadOnlyDatabase {
    let path = (folder as NSString).appendingPathComponent(Handover.database)
    let database = try ReadOnlyDatabase(path: path, bounds: bounds)
    guard database.userVersion <= ResultsDatabase.version else {
      throw OfferliftError(
        .cannotCreateOutput,
        "\(path) was written by a newer offerlift (schema \(database.userVersion); this one knows "
          + "\(ResultsDatabase.version)). Use that offerlift.")
    }
    return database
  }

  // MARK: - Files of a night

  /// The files of a night that are text and name no person: its tables, its summary and its record.
  package static let texts: [(name: String, type: String)] =
    [(NightFiles.summary, "text/markdown"), (NightFiles.runRecord, "application/json")]
    + ResultTables.all.map { ("\($0.name).csv", "text/csv") }

  /// The nights whose folders are there, oldest first.
  ///
  /// - Throws: `OfferliftError` 73 or 74 where the folder cannot be read.
  package func nights() throws -> [String] { try NightFolders(folder).published }

  /// The bytes of one of `texts` as they lie on the disk, at most `most` of them.
  ///
  /// - Throws: `OfferliftError` 66 where there is no such night or file, 65 where it is longer.
  package func text(_ name: String, ofNight night: String, most: Int) throws -> [UInt8] {
    let path = "\(folder)/\(night)/\(name)"
    guard Night.isName(night), Self.texts.contains(where: { $0.name == name }),
      try Folder.isDirectory("\(folder)/\(night)"), try Folder.isFile(path)
    else {
      throw OfferliftError(.inputMissing, "\(self.name) has no file \(name) of the night \(night).")
    }
    var bytes: [UInt8] = []
    try StoredFile.read(path) { piece in
      bytes += piece
      guard bytes.count <= most else {
        throw OfferliftError(
          .badData, "\(name) of \(night) is longer than \(most >> 20) MiB; ask for parts with `query`.")
      }
    }
    return bytes
  }
}
