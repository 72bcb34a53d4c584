import ArgumentParser

/// Whether a folder that others may change is written to.
struct TrustOptions: ParsableArguments {
  @Flag(
    help: "Write to a job's folder though it is a link, belongs to another user, or may be written by anybody.")
  var trustFolder = false
}
