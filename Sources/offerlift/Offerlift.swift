import ArgumentParser
import Domain
import Foundation
import Platform

/// The command line.
@main
struct Offerlift: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "offerlift",
    abstract: "Turn purchase logs and assignment tables of paywall tests into answers.",
    discussion: """
      EXAMPLE: the nightly run of one job, for the last whole day

        offerlift run jobs/offering-price-test.yml
      """,
    version: LoadedProgram.build.map { "\(Product.version) (\($0))" } ?? Product.version,
    subcommands: [
      RunCommand.self, PlanCommand.self, InitCommand.self, CheckCommand.self, ExplainCommand.self, AnalyzeCommand.self,
      PowerCommand.self,
      ReportCommand.self, RebuildCommand.self, ForgetCommand.self, McpCommand.self, SchemaCommand.self,
      SelftestCommand.self, SimulateCommand.self, HelpCommand.self, ReferenceCommand.self,
      SparkTaskCommand.self, SQLiteQueryCommand.self,
    ])

  /// Runs the command; an error becomes its message on stderr and its exit code.
  static func main() async {
    do {
      try SystemLimits.refuseTooLow()
      try refuseUnknownCommand(CommandLine.arguments.dropFirst())
      try refuseEmpty(CommandLine.arguments)
      var command = try parseAsRoot()
      Terminal.isQuiet = (command as? any QuietCommand)?.sound.quiet ?? false
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch let error as OfferliftError {
      Terminal.complain(error)
      Foundation.exit(error.exit.rawValue)
    } catch {
      guard exitCode(for: error) == .failure, !(error is ExitCode) else { exit(withError: error) }
      Terminal.complain(OfferliftError(.internalError, "\(error)"))
      Foundation.exit(OfferliftError.ExitCode.internalError.rawValue)
    }
  }

  /// An empty argument is mostly a variable of the shell that is not set; as a path it would be the working folder, or `/`.
  ///
  /// - Throws: `OfferliftError`, exit 64, with the argument before it.
  private static func refuseEmpty(_ arguments: [String]) throws {
    let own = configuration.subcommands.map { $0.configuration }.filter { !$0.shouldDisplay }.compactMap {
      $0.commandName
    }
    // Programs type those that are not shown.
    guard arguments.count > 1, !own.contains(arguments[1]) else { return }
    for (before, argument) in zip(arguments, arguments.dropFirst()) {
      let endsBare = argument.hasPrefix("--") && argument.firstIndex(of: "=") == argument.indices.last
      guard argument.isEmpty || endsBare else { continue }
      let position = argument.isEmpty ? "behind \(before)" : argument
      throw OfferliftError(
        .usage,
        "An argument is empty, \(position): is a variable of the shell not set? Say what it is, or leave it out.")
    }
  }

  /// A command that is none is never answered by an overview.
  ///
  /// - Throws: `OfferliftError`, exit 64, with the name that was meant.
  private static func refuseUnknownCommand(_ arguments: some Collection<String>) throws {
    let commands = configuration.subcommands.map { $0.configuration }
    guard let named = arguments.first, !named.hasPrefix("-"), !commands.contains(where: { $0.commandName == named })
    else { return }
    let known = commands.filter(\.shouldDisplay).compactMap(\.commandName)
    throw OfferliftError(
      .usage, "There is no command \"\(named)\"; \(hint(for: named, among: known)) Type: offerlift --help")
  }
}
