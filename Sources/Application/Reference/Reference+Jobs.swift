import Analysis
import Domain
import Engine
import Jobs

/// What a job file may say.
extension Reference {
  /// A part a mapping: `keys of job`.
  static var keys: [(name: String, text: String)] {
    JobKeys.all(.product).map { mapping in
      let rows = mapping.keys.map { ["`\($0.name)`", $0.usual, $0.meaning] }
      return ("keys of \(mapping.mapping)", MarkdownTable.text(["key", "default", "meaning"], rows))
    }
  }

  static var formats: String {
    MarkdownTable.text(
      ["format", "its files", "tells of charges", "an input may also say"],
      PurchaseCatalog.all.map { format in
        let keys = format.keys.flatMap(\.names).sorted().map { "`\($0)`" }
        return [
          "`\(format.name)`", "`\(format.table.rawValue)`", format.reportsCharges ? "yes" : "no",
          keys.joined(separator: ", "),
        ]
      })
  }

  static var eventTypes: String {
    EventTypes(named: []).names.map { "`\($0)`" }.joined(separator: ", ") + "."
  }

  static var metrics: String {
    let own = MetricCatalog.vocabulary.all.map { terms in
      let options = terms.options.map { option in
        option.keys.map { "`\($0)`" }.joined(separator: " or ") + ": " + option.meaning
      }
      return ["`\(terms.name)`", terms.meaning, average(of: terms), options.joined(separator: "; ")]
    }
    let quantile = [
      "`\(MetricVocabulary.quantileName)`", "the metric it is taken of",
      "the value that a share of users reaches at most",
      JobKeys.quantile.keys.map { "`\($0.name)`: \($0.meaning)" }.joined(separator: "; "),
    ]
    return MarkdownTable.text(
      ["metric", "per user, inside the window", "groups are compared by", "options"], own + [quantile])
  }

  private static func average(of terms: MetricTerms) -> String {
    if terms.isSurvival { return "curve" }
    let window = terms.hasWindow ? "" : ", at the cut-off"
    return switch terms.kind {
    case .proportion: "share of users\(window)"
    case .mean: (terms.isMoney ? "money a user" : "mean") + window
    case .ratio: (terms.isMoney ? "money, " : "") + "ratio\(window)"
    }
  }

  static var checks: String {
    MarkdownTable.text(
      ["check", "finds", "warns from", "fails from"],
      CheckCatalog.vocabulary.all.map { terms in
        ["`\(terms.name)`", terms.meaning, level(terms.warnsFrom), level(terms.failsFrom)]
      })
  }

  private static func level(_ share: Double?) -> String {
    guard let share, share.isFinite else { return "" }
    let thousandths = Int((share * 1000).rounded())
    return thousandths % 10 == 0 ? "\(thousandths / 10) %" : "\(thousandths / 10).\(thousandths % 10) %"
  }
}
