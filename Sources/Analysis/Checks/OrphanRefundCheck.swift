import Jobs
import Measurement

/// `orphan_refund`: are there refunds whose charge is in no file?
struct OrphanRefundCheck: HealthCheck {
  let terms = CheckTerms("orphan_refund", "refunds whose charge is in no file", warnsFrom: 0.01)

  /// One row; none where the purchase logs hold nothing.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let refunds = RowShare(rows: inputs.measurement.orphanRefunds, all: inputs.rows(of: "purchases"))
    return refunds.map {
      [
        row(
          count: $0.rows, of: $0.all, job: inputs.job,
          message: "\($0.phrase) take back a charge that is in no file; they have no effect.")
      ]
    } ?? []
  }
}
