import Domain

/// Takes from a purchase log who became whom before T, and nothing else.
struct TransferCollector: EventSink {
  let links: IdentityLinks
  /// T: what happened at or after it has not happened yet.
  let cutoff: Instant
  private var ofFile = IdentityLinks()

  init(links: IdentityLinks, cutoff: Instant) {
    self.links = links
    self.cutoff = cutoff
  }

  mutating func receive(_ transfer: DecodedRows.Transfer) -> SetAsideReason? {
    guard transfer.time < cutoff.milliseconds else { return .afterCutoff }
    ofFile.addTransfer(alias: transfer.alias, user: transfer.user, time: transfer.time)
    return nil
  }

  mutating func receive(_ event: PurchaseEvent, place: () -> Reject) {}
  mutating func finishBatch() {}
  mutating func abandonFile() { ofFile = IdentityLinks() }
  mutating func finishFile() { links.merge(ofFile) }
}
