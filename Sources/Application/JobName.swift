import Foundation
import Recognition

/// What a job is called where nobody says it: as the table of assignments, else as the folder.
enum JobName {
  /// Names of files that say nothing of a test.
  private static let plain: Set<String> = [
    "assignments", "assignment", "users", "user", "customers", "groups", "exposures", "data", "export", "events", "log",
    "table", "sheet", "sheet1", "file", "output", "orders", "payments", "purchases", "transactions", "charges",
  ]
  private static let fallback = "first-report"

  static func name(of files: Recognition.Files) -> String {
    let file = (files.assignments.first ?? files.purchases.first).map { path in
      URL(fileURLWithPath: path).lastPathComponent.split(separator: ".").first.map(String.init) ?? ""
    }
    let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).lastPathComponent
    return [file ?? "", folder].map(plainLetters).first { !$0.isEmpty && !plain.contains($0.lowercased()) } ?? fallback
  }

  /// In the letters that names of jobs have: `Paywall test - Sheet1` is `Paywall-test-Sheet1`.
  private static func plainLetters(_ text: String) -> String {
    text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }.joined(separator: "-")
  }
}
