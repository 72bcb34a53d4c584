import Analysis

extension CheckFinding {
  /// How loudly a finding speaks, the loudest first.
  enum Weight: String, CaseIterable {
    case fail, warn
    /// It warns of the test's design or the data's shape, and nobody has to mend anything.
    case remark
    case pass

    init(_ status: Check.Status, check name: String) {
      self =
        switch status {
        case .fail: .fail
        case .warn: CheckCatalog.remarks.contains(name) ? .remark : .warn
        case .pass: .pass
        }
    }
  }

  var weight: Weight { Weight(status, check: name) }
}
