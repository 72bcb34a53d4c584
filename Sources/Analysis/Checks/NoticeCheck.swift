import Jobs
import Measurement

/// What the engine noticed while it read the inputs, a check for each kind of notice: nothing is lost, but somebody
/// should look.
struct NoticeCheck: HealthCheck {
  /// One for each kind that the engine can raise.
  static let all: [any HealthCheck] = Notice.Kind.allCases.map(NoticeCheck.init)

  let kind: Notice.Kind
  var terms: CheckTerms { CheckTerms(kind.rawValue, kind.meaning) }

  /// One row for each notice of the kind.
  func checks(of inputs: CheckedInputs) -> [Check] {
    inputs.measurement.notices.filter { $0.kind == kind }.map { notice in
      Check(
        offering: notice.offering, name: name, subject: notice.subject, status: notice.isWarning ? .warn : .pass,
        observed: Double(notice.count), message: notice.message)
    }
  }
}
