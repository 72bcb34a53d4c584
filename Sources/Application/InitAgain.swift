import Domain
import Foundation
import Recognition

/// The same `init` once more, of files that were mended.
struct InitAgain {
  /// Nil where there is nothing to mend, or nobody can know what the new files are.
  let command: String?

  /// - Parameter name: the job's, which the new files must not change.
  init(_ request: InitRun.Request, name: String, _ remedies: [Remedy]) {
    let commands = remedies.compactMap { remedy in remedy.command.map { (remedy, $0.result) } }
    guard !commands.isEmpty, commands.count == remedies.count else {
      command = nil
      return
    }
    func mended(_ files: [String], _ input: Remedy.Input) -> [String] {
      files.flatMap { typed -> [String] in
        let path = URL(fileURLWithPath: typed).standardizedFileURL.path
        let own = commands.filter { $0.0.input == input && $0.0.path == path }
        let last = own.last { $0.0.replaces }?.1
        return [last ?? typed] + own.filter { !$0.0.replaces }.map(\.1)
      }
    }
    var words = ["offerlift", "init"]
    func add(_ option: String, _ values: [String]) {
      if !values.isEmpty { words += ["--\(option)"] + values.map(ShellText.word) }
    }
    add("assignments", mended(request.files.assignments, .assignments))
    add("purchases", mended(request.files.purchases, .purchases))
    add("catalog", request.files.catalog)
    add("identities", [request.files.identities].compactMap(\.self))
    add("products", [request.files.products].compactMap(\.self))
    add("rates", [request.files.rates].compactMap(\.self))
    add("output", [request.output].compactMap(\.self))
    if request.output == nil || request.name != nil { add("name", [name]) }
    add("baseline", [request.baseline].compactMap(\.self))
    add("currency", [request.currency].compactMap(\.self))
    add("timezone", [request.timezone].compactMap(\.self))
    for (field, column) in request.files.columns.sorted(by: { $0.key < $1.key }) {
      add("column", ["\(field)=\(column)"])
    }
    for (key, answer) in request.files.terms.answers.sorted(by: { $0.key < $1.key }) {
      add("say", ["\(key)=\(answer)"])
    }
    command = (words + ["--force"]).joined(separator: " ")
  }
}
