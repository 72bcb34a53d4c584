/// The app server's own record of its calls: who called what, what was asked, and the answer as it was sent.
struct APILogFormat: StoryFormat {
  let context: StoryContext
  let server: any AppServer

  func reports(_ event: StoryEvent) -> Bool { server.call(event) != nil }

  func isMeasured(_ event: StoryEvent) -> Bool { server.call(event)?.isMeasured ?? false }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    let call = server.call(event)
    return switch dirt {
    // Without a user a row is nobody's, and one like it is no copy.
    case _ where call?.isAnonymous ?? false: false
    case .copy, .malformed, .truncated, .invalidUTF8, .missingField: true
    // Of a call that nothing is measured by nobody asks when it was.
    case .badTime, .afterCutoff: call?.isMeasured ?? false
    case .groupMismatch: event.type == "offering_served"
    default: false
    }
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      guard let call = server.call(row) else { continue }
      let start = bytes.count
      bytes += line(row, call).object
      row.dirt.breakLine(from: start, in: &bytes)
    }
  }

  private func line(_ row: StoryEvent, _ call: AppServerCall) -> JSONObjectWriter {
    var line = JSONObjectWriter()
    if !call.isAnonymous {
      line.add("eventId", context.names.ownEvent(row))
      line.add("userId", context.names.user(row.user))
    }
    line.add("occurredAt", row.dirt == .badTime ? "0000-00-00T00:00:00Z" : row.time.rfc3339)
    if row.dirt != .missingField { line.add("endpoint", call.endpoint) }
    if let request = call.request { line.add("request", object: request) }
    line.add("response", raw: call.response)
    return line
  }
}
