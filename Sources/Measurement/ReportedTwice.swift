import Domain

/// Charges that two inputs tell under different transactions: of one user, product, price and currency, within a minute.
///
/// Nothing says that they are one sale, so both count; nothing says that they are two, either.
package struct ReportedTwice: Sendable, Equatable {
  /// The places of the two inputs among the job's purchases, in the order of their paths.
  package var inputs: [Int]
  /// How many charges of either tell what the other has told.
  package var charges: Int
  package var example: Example

  /// Two of the rows: of all there are the earliest.
  package struct Example: Sendable, Equatable {
    package var product: Identifier
    /// What was charged, in micros of the currency.
    package var micros: Int128
    /// Its three letters.
    package var currency: String
    /// By time.
    package var rows: [Row]

    package init(product: Identifier, micros: Int128, currency: String, rows: [Row]) {
      (self.product, self.micros, self.currency, self.rows) = (product, micros, currency, rows)
    }
  }

  /// Where a charge is told.
  package struct Row: Sendable, Equatable {
    /// As `FileAccount` has it.
    package var file: String
    package var time: Instant

    package init(file: String, time: Instant) {
      (self.file, self.time) = (file, time)
    }
  }

  package init(inputs: [Int], charges: Int, example: Example) {
    (self.inputs, self.charges, self.example) = (inputs, charges, example)
  }
}
