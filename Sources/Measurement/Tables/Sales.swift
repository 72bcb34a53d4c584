import Domain

/// What some users bought in all.
package struct Sales: Sendable, Codable, Equatable {
  package var users = 0
  /// Those of them with a charge above 0.
  package var payers = 0
  package var charges = 0
  /// In micros of the reporting currency.
  package var gross: Int128 = 0
  package var net: Int128 = 0
  package var proceeds: Int128 = 0
  package var tax: Int128 = 0

  package init(
    users: Int = 0, payers: Int = 0, charges: Int = 0, gross: Int128 = 0, net: Int128 = 0, proceeds: Int128 = 0,
    tax: Int128 = 0
  ) {
    (self.users, self.payers, self.charges) = (users, payers, charges)
    (self.gross, self.net, self.proceeds, self.tax) = (gross, net, proceeds, tax)
  }

  /// What was taken back of the gross amount.
  package var refunds: Int128 { gross - net }
  /// What the store keeps of the net amount beside tax.
  package var storeShare: Int128 { net - tax - proceeds }

  package mutating func merge(_ other: Sales) {
    users += other.users
    payers += other.payers
    charges += other.charges
    gross += other.gross
    net += other.net
    proceeds += other.proceeds
    tax += other.tax
  }
}

/// Users in no offering whose events were logged alike.
package struct OutsideSales: Sendable {
  /// As the log has them; nil where it has none.
  package var offering: Identifier?
  package var group: Identifier?
  package var sales: Sales

  package init(offering: Identifier?, group: Identifier?, sales: Sales) {
    self.offering = offering
    self.group = group
    self.sales = sales
  }
}
