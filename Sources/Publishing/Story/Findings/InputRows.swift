import Analysis
import Domain
import Measurement

/// Where the rows of one input went, all its files together; `run.json` holds them as they are here.
struct InputRows: Codable {
  /// The job's name for the input: `purchases`.
  let input: String
  private(set) var read = 0
  /// Rows not used, by the name of the reason.
  private(set) var setAside: [String: Int] = [:]
  private(set) var used = 0

  /// One for each input, in the job's order.
  static func sums(of accounts: [FileAccount]) -> [InputRows] {
    var sums: [InputRows] = []
    for account in accounts {
      let known = sums.firstIndex { $0.input == account.input }
      if known == nil { sums.append(InputRows(input: account.input)) }
      sums[known ?? sums.count - 1].add(account)
    }
    return sums
  }

  private init(input: String) {
    self.input = input
  }

  private mutating func add(_ account: FileAccount) {
    read += account.rows
    used += account.used
    for (reason, count) in account.setAside { setAside[reason.rawValue, default: 0] += count }
  }
}
