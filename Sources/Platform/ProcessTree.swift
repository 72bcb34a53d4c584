import Foundation

/// A process with everything it has started.
///
/// A shell that is ended leaves the programs of its pipeline running, and they go on writing to files that nobody can see any
/// more, until the disk is full.
package enum ProcessTree {
  /// Ends a process and its descendants: each is stopped first, so that none can start another meanwhile.
  package static func end(_ root: pid_t) {
    var found: [pid_t] = []
    var fresh = [root]
    while !fresh.isEmpty {
      for process in fresh { kill(process, SIGSTOP) }
      found += fresh
      let parents = Self.parents()
      fresh = parents.filter { found.contains($0.value) && !found.contains($0.key) }.map(\.key)
    }
    for process in found { kill(process, SIGKILL) }
  }

  /// The parent of each process that there is.
  private static func parents() -> [pid_t: pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.reduce(into: [:]) { parents, name in
      guard let process = pid_t(name), let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
        // The name in brackets may hold anything; behind it stand the state and the parent.
        let end = text.lastIndex(of: ")")
      else { return }
      let fields = text[text.index(after: end)...].split(separator: " ")
      if fields.count > 1, let parent = pid_t(fields[1]) { parents[process] = parent }
    }
  }
}
