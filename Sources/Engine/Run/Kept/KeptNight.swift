import Domain
import Foundation
import Measurement
import Platform

/// What a night came to, kept so that the next one counts anew only those of whom there is news: the sums over all users,
/// and what tells whose part in them still holds.
struct KeptNight {
  var told: Told
  var names: KeptNames
  var rates: ExchangeRates
  /// Who seeks whose charge.
  var sought: [SoughtCharge]
  var unpriced: UnpricedRows
  /// What all users came to, as `AttributedEvents.encoded`.
  var sums: [UInt8]
  var users: KeptUsers

  /// The night cannot be counted on from: everybody is counted.
  struct Unusable: Error {}

  /// What is known of the night in a few words.
  struct Told: Codable {
    /// In milliseconds since 1970.
    var cutoff: Int64
    /// When the first user was assigned, in milliseconds since 1970.
    var firstAssignment: Int64
    /// How many nights and metrics the sums are of.
    var nights: Int
    var metrics: Int
    /// The earlier night that changes were told since; nil where there was none.
    var since: EarlierCount?
    /// The files of the purchase logs, by number.
    var logs: [Log]
    /// The files that told who is in which group, by number, and those of tables beside, but for exchange rates.
    var assignments: [EarlierCount.File]
    var tables: [EarlierCount.File]
    var strangers: UnassignedPurchases
    /// By attribute of charges the values that are numbered, as bytes.
    var chargeValues: [[Data]]

    /// Its numbers are such that times can be subtracted and sums be as many.
    fileprivate var isPossible: Bool {
      [cutoff, firstAssignment].allSatisfy { (TimeText.earliest...TimeText.latest).contains($0) }
        && (0..<1 << 24).contains(nights) && (0..<1 << 16).contains(metrics)
    }
  }

  /// A file of a purchase log, and what was counted while it was read.
  struct Log: Codable {
    var input: String
    var file: String
    /// The name of its entry in the event store: of its bytes, and how they are read.
    var entry: String
    var counts: EventRouter.Counts
  }
}

// MARK: - As a file

extension KeptNight {
  /// The night as blocks, one behind another.
  ///
  /// - Throws: where it does not become bytes.
  func forEachBlock(key: String, _ body: ([UInt8]) throws -> Void) throws {
    func frame(_ kind: Block.Kind, _ fill: (ColumnWriter) throws -> Void) throws -> [UInt8] {
      let column = ColumnWriter()
      try fill(column)
      guard let block = Block.frame(kind, [column]) else { throw BlockFault.damaged }
      return block
    }
    try body(frame(.origin) { $0.append(key) })
    try body(
      frame(.night) { column in
        column.append(try PackedCoding.encode(told))
        names.write(to: column)
        rates.write(to: column)
        column.append(sought.count)
        for sought in sought {
          for word in [sought.transaction, sought.seeker, sought.owner] { column.append(word: word) }
        }
        unpriced.write(to: column)
      })
    try body(Block.frame(.sums, body: sums[...]))
    for number in 0..<UserDirectory.partitionCount {
      let partition = users[number]
      try body(
        frame(.users) { column in
          column.append(partition.hashes.count)
          for user in partition.hashes.indices {
            column.append(word: partition.hashes[user])
            column.append(word: partition.digests[user])
            column.append(word: UInt64(bitPattern: partition.ends[user]))
          }
        })
    }
  }

  /// Reads a night; nil where it is none of the run's.
  ///
  /// - Parameter key: what tells the nights of the run's job and program from others.
  /// - Throws: `BlockFault` where the file is not what it should be, `OfferliftError` where it cannot be read.
  init?(at path: String, key: String) throws {
    var blocks = try BlockFile(path)
    let isRuns = try blocks.next { kind, body in
      var column = ColumnReader(body)
      guard kind == .origin else { throw BlockFault.misplaced }
      return try column.string() == key && column.isAtEnd
    }
    guard isRuns else { return nil }
    (told, names, rates, sought, unpriced) = try blocks.next { kind, body in
      guard kind == .night else { throw BlockFault.misplaced }
      return try Self.head(body)
    }
    sums = try blocks.next { kind, body in
      guard kind == .sums else { throw BlockFault.misplaced }
      return Array(body)
    }
    users = KeptUsers()
    for number in 0..<UserDirectory.partitionCount {
      users[number] = try blocks.next { kind, body in
        guard kind == .users else { throw BlockFault.misplaced }
        return try Self.users(body)
      }
    }
    guard blocks.isAtEnd else { throw BlockFault.damaged }
  }

  private static func head(_ body: Text) throws -> (Told, KeptNames, ExchangeRates, [SoughtCharge], UnpricedRows) {
    var column = ColumnReader(body)
    let packed = Array(try column.text())
    guard let told = try? PackedCoding.decode(Told.self, from: packed), told.isPossible else {
      throw BlockFault.damaged
    }
    let names = try KeptNames(&column)
    let rates = try ExchangeRates(&column)
    var sought: [SoughtCharge] = []
    for _ in 0..<(try column.length()) {
      sought.append(SoughtCharge(transaction: try column.word(), seeker: try column.word(), owner: try column.word()))
    }
    let unpriced = try UnpricedRows(&column, files: told.logs.count)
    guard column.isAtEnd else { throw BlockFault.damaged }
    return (told, names, rates, sought, unpriced)
  }

  private static func users(_ body: Text) throws -> KeptUsers.Partition {
    var column = ColumnReader(body)
    let count = try column.length()
    // Of each there are three words.
    guard count <= column.bytesLeft / 24 else { throw BlockFault.cutOff }
    var users = KeptUsers.Partition(room: count)
    for _ in 0..<count {
      users.append(try column.word(), digest: try column.word(), end: Int64(bitPattern: try column.word()))
    }
    guard column.isAtEnd else { throw BlockFault.damaged }
    return users
  }
}
