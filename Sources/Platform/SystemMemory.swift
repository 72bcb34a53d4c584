import CLinux
import Foundation

/// How much memory there is, and how much of it this process has.
package enum SystemMemory {
  /// What the process has of it, in bytes; 0 where the system does not tell.
  package static var resident: Int { pages(1) }

  /// How many bytes the process has addresses for; 0 where the system does not tell.
  static var addressed: Int { pages(0) }

  /// Gives memory back that the process does not need any more; without this much of it is kept for what may come.
  package static func giveBack() { malloc_trim(0) }

  /// A number of `/proc/self/statm`, in bytes.
  private static func pages(_ position: Int) -> Int {
    let words = text(of: "/proc/self/statm").split(separator: " ")
    return words.count > position ? (Int(words[position]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }

  /// What the machine has, or the container or the process's limit of addresses where that is less, in bytes.
  package static var total: Int {
    let machine = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    let container = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"].compactMap { file in
      Int(text(of: file).trimmingCharacters(in: .whitespacesAndNewlines))
    }
    return ([machine, Int(clamping: SystemLimits.value(of: RLIMIT_AS))] + container).min() ?? machine
  }

  private static func text(of file: String) -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
}
