import Foundation

/// One statement on one SQLite file, as a child process is asked to answer it (`QueryChild`, `QueryServer`).
package struct Query: Codable, Sendable {
  package var path: String
  package var sql: String
  /// Texts in the place of the statement's `?`.
  package var arguments: [String] = []
  /// The file is replaced whole and never changed in place: nothing is written beside it, and nobody's lock is heeded.
  package var isImmutable = false
  /// For so many seconds a file that another program has locked is waited for.
  package var patience = 0.0
  package var limits = Limits()

  package init(path: String, sql: String) { (self.path, self.sql) = (path, sql) }

  /// What the child may take. Whatever goes beyond is ended, if need be by the system.
  package struct Limits: Codable, Sendable {
    /// Bytes that SQLite may have.
    package var memory: Int64 = 128 << 20
    /// Steps of SQLite's virtual machine from one row to the next.
    package var steps: Int64 = 500_000_000
    /// Seconds of the clock for the whole statement, looked at between steps; nil sets none.
    package var seconds: Double?
    /// Seconds of a processor from one row to the next. A function that never comes back to SQLite ends by this alone.
    package var processorSeconds = 12.0
    /// Bytes of a text or blob that the statement makes; nil leaves what SQLite allows.
    package var longestText: Int32?
    /// Bytes of a text or blob beyond which it is told only that it is longer.
    package var longestCell: Int64 = .max
    /// Bytes of a statement.
    package var longestStatement: Int32 = 1 << 20
    /// Bytes of a file that SQLite may write, to sort in it: a connection that changes nothing writes no other.
    package var temporaryFile: Int64 = 0

    package init() {}
  }
}

/// Why a statement was not answered.
package struct QueryFault: Error, Codable, Sendable {
  package enum Kind: String, Codable, Sendable {
    /// It does something other than read, or is no single statement.
    case notReading
    /// SQLite does not understand it.
    case misunderstood
    /// It makes a text that is too long, or wants more memory than there is for it.
    case tooLong, memory
    /// Another program has locked the file.
    case locked
    /// The file, or what SQLite keeps beside it, cannot be opened.
    case notOpened
    /// The file is none of SQLite's, or damaged, or cannot be read.
    case unreadable
    /// It went beyond its steps or its time.
    case over
    /// The process ended without an answer.
    case ended
  }

  package var kind: Kind
  /// What SQLite says.
  package var message = ""
}

/// What stands in a row's column.
package enum QueryCell: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(ArraySlice<UInt8>)
  case blob(ArraySlice<UInt8>)
  /// A text or blob that is longer than `Limits.longestCell`.
  case tooLong
}
