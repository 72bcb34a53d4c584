import Domain

/// Prices with more decimals than are kept, by currency: how many were rounded, and by how much in all.
struct RoundedPrices {
  private var counts: [Currency: Count] = [:]

  private struct Count {
    var changed = 0
    /// In millionths of a millionth of the currency.
    var picos = 0
    var unchanged = 0
  }

  mutating func add(_ price: ExactDecimal.Rounded, _ currency: Currency) {
    var count = counts[currency, default: Count()]
    if price.isChanged {
      count.changed += 1
      count.picos += Int(price.changeInPicos)
    } else {
      count.unchanged += 1
    }
    counts[currency] = count
  }

  /// Tells what came of a file.
  func note(in notes: inout FileNotes) {
    for (currency, count) in counts {
      let name = currency.text.isEmpty ? "the charge's currency" : currency.text
      if count.changed > 0 {
        notes.add(.roundedPrice, name, count.changed)
        notes.add(.roundedMoney, name, count.picos)
      }
      if count.unchanged > 0 { notes.add(.exactPrice, name, count.unchanged) }
    }
  }
}
