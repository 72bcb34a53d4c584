import Domain
import Foundation
import Platform

/// A night that is made whole under a hidden name and then put in its place: its folder, `results.sqlite`,
/// `latest` and `metrics.prom`, all four of the same night.
///
/// Everything that takes time or space, or may fail, is done under the hidden name. What is left are four renames, each
/// of which swaps the old and the new, so that each can be taken back by doing it again.
struct Handover {
  /// `DIR/<job>`.
  let folder: String
  /// The night's name and the checksum of its folder.
  let night: String
  let content: String

  /// What is being made lies here; a later run removes it if this one dies.
  static let making = ".publishing"
  /// What is whole and is being put in its place lies here; `UnfinishedNights` finishes that if the run dies.
  static let placing = ".placing"
  static let database = "results.sqlite"
  static let latest = "latest"
  static let metrics = "metrics.prom"
  /// A second `metrics.prom`: the first alone does not show whether it has been swapped already.
  static let metricsAgain = "metrics.again"
  /// Night and checksum, by which `UnfinishedNights` finishes a dead run's work.
  static let record = "night"

  /// The database first: it says which night counts (see `UnfinishedNights`).
  private var names: [String] { [Self.database, night, Self.latest, Self.metrics] }

  /// Puts everything in its place. Called when all of it lies whole under `placing`.
  ///
  /// What fails is tried a second time. If it fails again the old results are put back, and the new ones go.
  ///
  /// - Throws: `OfferliftError`; the old results stand, unless it says that neither night could be put in place whole.
  func carryOut() throws {
    try HeldSignals.during {
      var moves: [Move] = []
      do {
        moves = try names.map(move)
        for move in moves { try twice { try put(move) } }
        try twice { try Folder.sync(folder) }
      } catch {
        try putBack(moves.reversed(), after: error)
        throw error
      }
    }
  }

  /// A file or folder under `placing`, and what has its name in the job's folder, which it is swapped with.
  private struct Move {
    let name: String
    let staged: String
    let target: String
    let new: Folder.Identity?
  }

  private func move(_ name: String) throws -> Move {
    let staged = path(Self.placing, name)
    return Move(name: name, staged: staged, target: path(name), new: try Folder.identity(of: staged))
  }

  /// Looks first at what stands there: a network's file system may have done what it reported as failed.
  private func put(_ move: Move) throws {
    guard try Folder.identity(of: move.target) != move.new else { return }
    try Folder.swap(move.staged, with: move.target, aside: aside(move.name))
  }

  /// Undoes `put`, however far it came.
  private func revert(_ move: Move) throws {
    if try Folder.exists(aside(move.name)) {
      let home = try Folder.exists(move.target) ? move.staged : move.target
      if try !Folder.exists(home) { try Folder.rename(aside(move.name), to: home) }
    }
    guard try Folder.identity(of: move.target) == move.new else { return }
    if try Folder.exists(move.staged) {
      try Folder.swap(move.staged, with: move.target, aside: aside(move.name))
    } else {
      try Folder.rename(move.target, to: move.staged)
    }
  }

  private func putBack(_ moves: [Move], after error: any Error) throws {
    do {
      for move in moves { try twice { try revert(move) } }
      // The old results stand already; what is left under `placing` the next run removes.
      try? Folder.sync(folder)
      try? Folder.remove(path(Self.placing))
    } catch let second {
      throw OfferliftError(
        .inputOutput,
        "\(error) The old results could not be put back either: \(second) Until the next run ends this, "
          + "\(folder) may hold something of both nights.")
    }
  }

  /// Tries the step again where it fails: some failures of disks pass.
  private func twice(_ step: () throws -> Void) throws {
    do { try step() } catch { try step() }
  }

  private func aside(_ name: String) -> String { path(Self.placing, "aside-\(name)") }

  private func path(_ names: String...) -> String {
    names.reduce(folder) { ($0 as NSString).appendingPathComponent($1) }
  }
}
