import ArgumentParser
import Domain
import Jobs
import Publishing

/// What a run writes for whoever posts how it went.
struct NotifyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Write how each night went into a file for cron to post: slack=PATH, teams=PATH, eml=PATH or openlineage=PATH; may be \
      given again. {job} and {night} in PATH are their names.
      """,
      valueName: "kind=path"))
  var notifyFile: [String] = []

  @Option(help: ArgumentHelp("From whom a mail is (eml); else whoever sends it adds that.", valueName: "address"))
  var mailFrom: String?

  @Option(help: ArgumentHelp("To whom a mail goes (eml); may be given again.", valueName: "address"))
  var mailTo: [String] = []

  @Option(
    help: ArgumentHelp(
      "Where readers open the folder of results, for links in notices and metrics.prom. (default: the job's report_url:)",
      valueName: "address"))
  var reportUrl: String?

  /// - Throws: `OfferliftError`, exit 64, where it is no address.
  func reports() throws -> ReportAddress? {
    do { return try reportUrl.map(ReportAddress.init) } catch let error as OfferliftError {
      throw OfferliftError(error.exit, "--report-url \(error.message)")
    }
  }

  /// - Throws: `OfferliftError`, exit 64, where an option is not what it should be.
  func files() throws -> Notifications {
    Notifications(
      files: try notifyFile.map(NotificationFile.init), addresses: try MailAddresses(from: mailFrom, to: mailTo))
  }
}

/// The files that tell how nights went.
struct Notifications {
  let files: [NotificationFile]
  let addresses: MailAddresses

  /// - Throws: `OfferliftError`, exit 64, where a night would take another's place.
  func verify(jobs: Int, nights: Int) throws { for file in files { try file.verify(jobs: jobs, nights: nights) } }

  /// Writes all of them; what cannot be written is handed to `complain`, and the others are written all the same.
  ///
  /// - Returns: the first error.
  func write(_ notice: NightNotice, complain: (OfferliftError) -> Void) -> OfferliftError? {
    var failure: OfferliftError?
    for file in files {
      do { try file.write(notice, from: addresses) } catch {
        let reported = error as? OfferliftError ?? OfferliftError(.inputOutput, "\(error)")
        complain(reported)
        failure = failure ?? reported
      }
    }
    return failure
  }
}
