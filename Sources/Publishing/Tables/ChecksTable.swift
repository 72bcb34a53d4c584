import Analysis
import Domain
import Measurement

/// `checks.csv`: whether the figures may be believed.
///
/// `offering_id` is empty for checks of the run as a whole. `subject` (a column of ours, the last) says what
/// within the offering a check is about, so that its rows have a key: `segment country=US`.
struct ChecksTable: ResultTable {
  typealias Record = Check
  let name = "checks"
  let meaning = "Whether the figures may be believed."
  let records = Records<Record>.held(\.checks)

  let offering = Text("offering_id", "the offering; empty for checks of the run as a whole", isKey: true) {
    $0.offering?.text ?? ""
  }
  let check = Text("check", "the check's name", isKey: true, \.name)
  let status = Text("status", "pass, warn or fail", \.status.rawValue)
  let observed = Real("observed", "what was found", in: .check, \.observed)
  let expected = Real("expected", "what it was held against", in: .check, \.expected)
  let pValue = Real("p_value", "p of the check's own test, where it has one", in: .probability, \.pValue)
  let message = Text("message", "the finding in a sentence") { PrintableText.sentence($0.message) }
  let subject = Text("subject", "what within the offering it is about: `segment country=US`", isKey: true, \.subject)
}
