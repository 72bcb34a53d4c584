import Jobs
import Measurement

/// `corrupt_file`: was a damaged file left out whole (`on_corrupt: skip`)?
struct CorruptFileCheck: HealthCheck {
  let terms = CheckTerms("corrupt_file", "a damaged file was left out whole (`on_corrupt: skip`): warns")

  /// One row for each such file.
  func checks(of inputs: CheckedInputs) -> [Check] {
    inputs.measurement.accounts.filter { $0.setAside[.corruptFile] != nil }.map { account in
      Check(
        name: name, subject: "file \(account.file)", status: .warn,
        observed: Double(account.setAside[.corruptFile] ?? 0), expected: 0,
        message: "\(account.file) is damaged and was left out whole; every figure lacks it. Fetch it again.")
    }
  }
}
