/// Until when what is counted of a user stays what it is while no row is added: the first time that somebody has asked about
/// and that had not come yet.
///
/// Whoever counts asks `UserHistory.hasCome` instead of comparing with the cut-off, and so says when the answer will be
/// another. For one thread, and one user after another.
package final class Validity {
  /// The last night's cut-off before the run's, or that itself: what came later is not in every night's sums yet.
  let lastNight: Int64
  private let cutoff: Int64
  /// A run whose cut-off lies there or later has to count the user anew.
  private(set) var end = Int64.max

  /// - Parameters:
  ///   - cutoff: the run's, in milliseconds since 1970.
  ///   - lastNight: the latest of the nights that the run looks back on; nil looks back on none.
  package init(cutoff: Int64, lastNight: Int64? = nil) {
    self.cutoff = cutoff
    self.lastNight = min(lastNight ?? cutoff, cutoff)
  }

  /// The next user's turn.
  func begin() { end = .max }

  /// Something of the user is otherwise once a cut-off lies at `time` or later.
  @inline(__always)
  func note(_ time: Int64) { if time > lastNight { end = min(end, max(time, cutoff &+ 1)) } }

  /// Something of the user is otherwise once a cut-off lies behind `time`.
  @inline(__always)
  func note(behind time: Int64) { if time >= lastNight { end = min(end, max(time, cutoff) &+ 1) } }

  /// Something of the user that was looked at from a cut-off is otherwise on every night.
  func noteEveryNight(from cutoff: Int64) { if cutoff >= lastNight { end = self.cutoff &+ 1 } }
}
