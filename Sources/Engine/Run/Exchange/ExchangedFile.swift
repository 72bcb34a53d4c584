import Domain
import Foundation
import Jobs
import Measurement

/// What the tasks of a run know of one file.
struct ExchangedFile: Codable, Sendable {
  /// Number of its input among `Job.exchangedInputs`.
  var input: Int
  /// As `inputs.csv` has it.
  var name: String
  /// What became of its rows while they were read.
  var reading: FileReading
  /// What its rows say of assignments beside who is in which group.
  var roster: RosterReport

  var key: String { ExchangedRun.key(ofInput: input, file: name) }

  func block() throws -> [UInt8] { try Block.frame(.file, encoding: self) }

  init(input: Int, name: String, reading: FileReading, roster: RosterReport) {
    (self.input, self.name, self.reading, self.roster) = (input, name, reading, roster)
  }

  init(_ block: [UInt8]) throws {
    self = try Block.decode(Self.self, of: block, .file)
  }
}

extension Block {
  /// The block whose body is a value, packed.
  static func frame(_ kind: Kind, encoding value: some Encodable) throws -> [UInt8] {
    frame(kind, body: try PackedCoding.encode(value)[...])
  }

  /// The value that is a block's body, packed.
  ///
  /// - Throws: `BlockFault` where the block is none of that kind.
  static func decode<Value: Decodable>(_ type: Value.Type, of block: [UInt8], _ kind: Kind) throws -> Value {
    let body = try body(of: block, kind)
    do { return try PackedCoding.decode(type, from: Array(body)) } catch { throw BlockFault.damaged }
  }
}
