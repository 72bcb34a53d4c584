import ArgumentParser
import Domain
import Foundation
import Logging

/// The form of log lines on stderr.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
  /// Sentences for people.
  case text
  /// One JSON object a line, for collectors.
  case json
}

/// Writes log lines to stderr: results alone go to stdout.
struct StandardErrorLog: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  private let format: LogFormat

  /// Makes the logger of a run: warnings always unless errors alone are printed, and what is being done where a format was
  /// asked for.
  static func logger(_ format: LogFormat?) -> Logger {
    Logger(label: "offerlift") { _ in
      StandardErrorLog(
        logLevel: Terminal.isQuiet ? .error : format == nil ? .warning : .info, format: format ?? .text)
    }
  }

  private init(logLevel: Logger.Level, format: LogFormat) {
    self.logLevel = logLevel
    self.format = format
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    switch format {
    case .text:
      let level = event.level >= .warning ? "\(event.level): " : ""
      let details = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
      Terminal.warn("\(level)\(event.message)\(details)")
    case .json:
      var fields = all.mapValues { "\($0)" }
      fields["level"] = "\(event.level)"
      fields["message"] = "\(event.message)"
      fields["time"] = Date().ISO8601Format()
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let shown = fields.mapValues { PrintableText.sentence($0) }
      let line = (try? encoder.encode(shown)) ?? Data(PrintableText.sentence("\(event.message)").utf8)
      Terminal.write(String(decoding: line, as: UTF8.self) + "\n")
    }
  }
}
