import Foundation
import GRDBSQLite

/// The child's side: answers one query that stands on its standard input, a socket.
package enum QueryServer {
  /// Bytes of rows after which they are handed over, and seconds.
  private static let (frameBytes, frameSeconds) = (1 << 16, 1.0)

  /// Answers, and returns where it has, or where nobody is there any more to be answered.
  package static func answer() {
    let channel = QueryChannel(dup(STDIN_FILENO))
    do {
      let (kind, bytes) = try channel.read(patience: 60)
      guard kind == .query else { return }
      let query = try JSONDecoder().decode(Query.self, from: Data(bytes))
      ProcessLimits.set(query.limits)
      do {
        try answer(query, channel)
        try channel.write(.end, [])
      } catch let fault as QueryFault {
        try channel.emit(.fault, fault)
      }
    } catch {
      // Who asked has gone.
    }
  }

  private static func answer(_ query: Query, _ channel: QueryChannel) throws {
    let database = try QueriedDatabase(query)
    try channel.emit(.columns, database.columns)
    let (kind, bytes) = try channel.read(patience: nil)
    guard kind == .wanted else { throw QueryChannel.Closed() }
    let wanted = try JSONDecoder().decode([Int].self, from: Data(bytes))
    var rows: [UInt8] = []
    var since = ContinuousClock.now
    func handOver() throws {
      if !rows.isEmpty { try channel.write(.rows, rows) }
      rows.removeAll(keepingCapacity: true)
      since = .now
      ProcessLimits.allow(processorSeconds: query.limits.processorSeconds)
    }
    do {
      while try database.next() {
        if wanted.isEmpty { rows.append(0) }
        for column in wanted { database.append(column, to: &rows) }
        if rows.count >= frameBytes || ContinuousClock.now - since > .seconds(frameSeconds) { try handOver() }
      }
    } catch let fault as QueryFault {
      // What came before it is told first, as where nothing failed.
      try handOver()
      throw fault
    }
    try handOver()
  }
}
