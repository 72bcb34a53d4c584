import Domain

/// Takes from a purchase log which ids are one customer's, and who became whom before the cut-off, and nothing else.
struct IdentityCollector {
  let links: IdentityLinks
  /// The cut-off: what happens at or after it does not count.
  let cutoff: Instant
  private var ofFile = IdentityLinks()

  init(links: IdentityLinks, cutoff: Instant) {
    self.links = links
    self.cutoff = cutoff
  }

  mutating func receive(_ transfer: DecodedLine.Transfer) -> SetAsideReason? {
    guard transfer.time < cutoff.milliseconds else { return .afterCutoff }
    ofFile.addTransfer(alias: transfer.alias, user: transfer.user, time: transfer.time)
    return nil
  }

  mutating func receive(_ alias: DecodedLine.Alias) {
    guard alias.time < cutoff.milliseconds else { return }
    switch alias.kind {
    case .customer: ofFile.addAlias(alias.id, alias.other)
    case .subscription: ofFile.addSubscription(alias.id, alias.other)
    case .buyer: ofFile.addBuyer(alias.other, of: alias.id, time: alias.time)
    }
  }

  mutating func abandonFile() { ofFile = IdentityLinks() }
  mutating func finishFile() { links.merge(ofFile) }
}
