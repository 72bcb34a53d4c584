import Domain
import Measurement

/// Which of a run's files the night that is kept had read.
struct KnownFiles {
  /// By number of the files of the purchase logs that night's number; nil of those it had not read.
  let logs: [Int?]
  /// The same of the files that tell who is in which group, once those have been read.
  private(set) var assignments: [Int?] = []
  /// By that night's number the run's.
  let logNumbers: [Int]
  /// The same; nil of those that are gone.
  private(set) var assignmentNumbers: [Int?] = []
  /// That night's cut-off, in milliseconds since 1970.
  let cutoff: Int64

  /// Whether that night had a row of the assignments.
  func hadRow(_ row: Roster.Row) -> Bool { row.time < cutoff && assignments[Int(row.file)] != nil }

  /// - Throws: `KeptNight.Unusable` where one of that night's files is gone, or another.
  init(_ night: KeptNight.Told, logs: PurchaseLogs, entries: [String]) throws(KeptNight.Unusable) {
    cutoff = night.cutoff
    let known = night.logs.map { [$0.input, $0.file, $0.entry] }
    let found = logs.files.map { [$0.log.input.table.name, $0.file.displayName] }
    let names = zip(found, entries).map { $0 + [$1] }
    let matched = try Self.match(names, known)
    self.logs = matched.known
    logNumbers = matched.numbers.compactMap(\.self)
    guard logNumbers.count == known.count else { throw KeptNight.Unusable() }
  }

  /// The same, with the files that tell who is in which group.
  ///
  /// - Throws: `KeptNight.Unusable` where two of them are the same.
  func matching(_ accounts: [FileAccount], _ night: KeptNight.Told) throws(KeptNight.Unusable) -> KnownFiles {
    var files = self
    (files.assignments, files.assignmentNumbers) = try Self.match(
      accounts.map { EarlierCount.File($0) }, night.assignments)
    return files
  }

  /// By number of a name that of the known one it is, and by number of the known ones that of the names.
  private static func match<Name: Hashable>(
    _ names: [Name], _ known: [Name]
  ) throws(KeptNight.Unusable) -> (known: [Int?], numbers: [Int?]) {
    guard Set(names).count == names.count, Set(known).count == known.count else { throw KeptNight.Unusable() }
    let places = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    let numbers = known.map { places[$0] }
    var matched = [Int?](repeating: nil, count: names.count)
    for (number, place) in numbers.enumerated() { if let place { matched[place] = number } }
    return (matched, numbers)
  }
}

extension EarlierCount.File {
  init(_ account: FileAccount) {
    self.init(input: account.input, file: account.file, bytes: account.bytes, crc32: account.crc32)
  }
}
