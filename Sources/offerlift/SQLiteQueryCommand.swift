import ArgumentParser
import Platform

/// `offerlift sqlite-query`: what this program starts to read an SQLite file in. Nobody types it.
struct SQLiteQueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: QueryChild.command, abstract: "Answer one query that comes over a socket.", shouldDisplay: false)

  func run() { QueryServer.answer() }
}
