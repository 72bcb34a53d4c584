import Domain
import Engine

/// What a server says that its plan costs. It is an offer: nobody has paid by it.
struct PlanPrice {
  let currency: String
  /// `50.00 GBP for 30 days`; of several prices all, up to three.
  let words: String

  /// By the answers to calls for the plan; nil where none tells price and currency.
  init?(_ samples: [FileSample]) {
    let reported = samples.flatMap(Self.prices)
    guard let first = reported.first, reported.allSatisfy({ $0.currency == first.currency }) else { return nil }
    currency = first.currency
    words = Phrase.list(Set(reported.map(\.words)).sorted(), most: 3)
  }

  private static let positions = ["response.data.", "response."]

  private static func prices(_ sample: FileSample) -> [(currency: String, words: String)] {
    guard sample.purchases?.keys.contains(.endpoints) ?? false,
      let position = positions.first(where: {
        sample.names.contains($0 + "price") && sample.names.contains($0 + "currency")
      })
    else { return [] }
    let columns = ["price", "currency", "duration", "duration_unit"].map { sample.column(position + $0) }
    return sample.rows.indices.compactMap { row in
      guard let price = columns[0][row], let code = columns[1][row], Currency(Array(code.utf8)) != nil else {
        return nil
      }
      let length = columns[2][row].flatMap { count in columns[3][row].map { " for \(count) \($0)" } } ?? ""
      return (code, "\(price) \(code)\(length)")
    }
  }
}
