/// What an earlier night had read, as it was published: what this one must not fall far behind.
struct EarlierNight: Sendable {
  /// The night's date.
  var night: String
  var files: [File]
  /// Measured users, by offering.
  var users: [Identifier: Int]

  /// One input file of that night.
  struct File: Sendable, Hashable {
    var input: String
    var file: String
    /// Size and CRC-32 of the file as it lay on disk.
    var bytes: Int64
    var crc32: UInt32
    var rows: Int
    var used: Int
  }
}
