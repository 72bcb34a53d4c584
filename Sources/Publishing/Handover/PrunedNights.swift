import Domain
import Foundation
import Platform

/// The nights whose folders `keep_nights:` of the job has removed. `results.sqlite` has them all the same.
///
/// `.pruned` has their dates, and is written before a folder goes, so that a history that is lost is known to be longer
/// than the folders tell. A folder goes out of sight in one step, under `.pruning`, and is removed there: a run that is
/// killed leaves every night whole or not at all, and the next one removes what lies there.
struct PrunedNights {
  /// `DIR/<job>`.
  let folder: String

  static let record = ".pruned"
  static let removing = ".pruning"

  /// Their dates, in order; one that has been published anew since has a folder again, and is among them.
  ///
  /// - Throws: `OfferliftError` (74) where the record cannot be read.
  var names: [String] {
    get throws {
      guard try Folder.exists(path(Self.record)) else { return [] }
      let text = String(decoding: try StoredFile.bytes(of: path(Self.record)), as: UTF8.self)
      return text.split(whereSeparator: \.isNewline).map(String.init).filter(Night.isName)
    }
  }

  /// Removes the folders of nights before the newest ones.
  ///
  /// A folder stays whose night the database has not, or that holds what somebody has put there.
  ///
  /// - Parameters:
  ///   - most: how many of the newest nights keep theirs.
  ///   - spared: nights that keep theirs whatever their date.
  ///   - known: the nights that the database has.
  /// - Throws: `OfferliftError` (73 or 74) where the disk does not do it; what is left then is whole.
  func prune(retaining most: Int, sparing spared: Set<String>, known: Set<String>) throws {
    let nights = try NightFolders(folder).published.sorted()
    let old = try nights.dropLast(most).filter {
      try !spared.contains($0) && known.contains($0) && RetainedFiles(folder: path($0)).names.isEmpty
    }
    guard !old.isEmpty else { return }
    try write(Set(try names).union(old))
    try Folder.create(path(Self.removing))
    for night in old { try Folder.rename(path(night), to: path(Self.removing, night)) }
    try Folder.sync(folder)
    try clear()
  }

  /// Removes what lies out of sight.
  func clear() throws { try Folder.remove(path(Self.removing)) }

  /// Forgets the nights that a history made anew has not.
  ///
  /// - Returns: how many those are.
  func retain(only known: Set<String>) throws -> Int {
    let names = try names
    let lost = names.filter { !known.contains($0) }
    if !lost.isEmpty { try write(Set(names).subtracting(lost)) }
    return lost.count
  }

  private func write(_ names: Set<String>) throws {
    try FileWriter.replace(path(Self.record), with: Array(names.sorted().map { "\($0)\n" }.joined().utf8))
  }

  private func path(_ names: String...) -> String {
    names.reduce(folder) { ($0 as NSString).appendingPathComponent($1) }
  }
}
