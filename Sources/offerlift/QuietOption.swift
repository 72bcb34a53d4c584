import ArgumentParser

/// Whether a command prints its results and warnings.
struct QuietOption: ParsableArguments {
  @Flag(help: "Print errors alone: nothing of a command that ends with 0.")
  var quiet = false
}

/// A command whose results are files or an exit code, so that cron need not hear of it.
protocol QuietCommand: ParsableCommand {
  var sound: QuietOption { get }
}
