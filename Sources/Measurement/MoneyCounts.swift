/// What is counted of charges and refunds while they find each other, for the checks that ask whether a log was read as it
/// was meant.
package struct MoneyCounts: Sendable, Codable {
  /// Events that tell of charges, repetitions among them; rows that a later snapshot replaces are not.
  package var reported = 0
  /// Charges that they come to, each once.
  package var charges = 0
  /// Those of them that repeat another's key, by the same feed, and name another product.
  package var otherItems = 0
  /// Charges that are worth what their log tells in US dollars, for no exchange rate is known.
  package var reportedInDollars = 0
  /// Refunds of charges that are in the log.
  package var refunds = 0
  /// Those of them that tell more to be taken back than their charge brought.
  package var refundsBeyondCharge = 0

  package init() {}

  package mutating func merge(_ other: MoneyCounts) {
    reported += other.reported
    charges += other.charges
    otherItems += other.otherItems
    reportedInDollars += other.reportedInDollars
    refunds += other.refunds
    refundsBeyondCharge += other.refundsBeyondCharge
  }
}
