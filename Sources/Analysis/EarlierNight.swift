import Domain
import Measurement

/// What an earlier night had read, as it was published: what this one must not fall far behind.
package struct EarlierNight: Sendable {
  /// The night's date.
  package var night: String
  package var files: [File]
  /// Measured users, by offering.
  package var users: [Identifier: Int]

  package init(night: String, files: [File], users: [Identifier: Int]) {
    self.night = night
    self.files = files
    self.users = users
  }

  /// One input file of that night.
  package struct File: Sendable, Hashable {
    package var input: String
    package var file: String
    /// Size and CRC-32 of the file as it lay on disk.
    package var bytes: Int64
    package var crc32: UInt32
    package var rows: Int
    package var used: Int

    package init(input: String, file: String, bytes: Int64, crc32: UInt32, rows: Int, used: Int) {
      self.input = input
      self.file = file
      self.bytes = bytes
      self.crc32 = crc32
      self.rows = rows
      self.used = used
    }
  }
}
