import Domain
import Foundation

/// What a part of a run has counted, as bytes: they leave the process that counted and are merged in another.
///
/// The bytes are those of `PackedCoding`. Names are the numbers that both processes must have given them alike, and quantities are exact.
/// Sums travel before they are settled, so that merging them there is merging them here.
extension AttributedEvents {
  func encoded() throws -> [UInt8] { try CountsCoding.bytes(of: self) }

  /// Takes what another process has counted by the same plan.
  ///
  /// - Throws: `OfferliftError` 74 where the bytes are no such counts, or those of another plan: what is returned can be
  ///   merged and measured without a look at it.
  init(encoded bytes: [UInt8], fitting plan: MeasurementPlan) throws {
    self = try CountsCoding.read(Self.self, from: bytes, fitting: plan.shape)
    if let misfit = misfit(plan.shape) { throw CountsCoding.unusable("they have other \(misfit) than the run") }
  }
}

extension AssignedIDs {
  package func encoded() throws -> [UInt8] { try CountsCoding.bytes(of: self) }

  /// - Throws: `OfferliftError` 74 where the bytes are not what `encoded` has made.
  package init(encoded bytes: [UInt8]) throws { self = try CountsCoding.read(Self.self, from: bytes) }
}

extension FileReading {
  /// All but the lines of rejected rows, which travel by themselves.
  package func encoded() throws -> [UInt8] { try CountsCoding.bytes(of: self) }

  /// Everything but the lines of rejected rows; `keep` takes them.
  ///
  /// - Throws: `OfferliftError` 74 where the bytes are not what `encoded` has made.
  package init(encoded bytes: [UInt8]) throws { self = try CountsCoding.read(Self.self, from: bytes) }
}

/// How counts become bytes and come back.
private enum CountsCoding {
  static func bytes(of counts: some Encodable) throws -> [UInt8] { try PackedCoding.encode(counts) }

  static func read<Counts: Decodable>(
    _ counts: Counts.Type, from bytes: [UInt8], fitting shape: SumsShape? = nil
  ) throws -> Counts {
    do {
      return try PackedCoding.decode(counts, from: bytes, userInfo: shape.map { [.shape: $0] } ?? [:])
    } catch { throw unusable(Self.words(error)) }
  }

  static func unusable(_ why: String) -> OfferliftError {
    OfferliftError(.inputOutput, "the counts of a part of the run cannot be used: \(why)")
  }

  private static func words(_ error: any Error) -> String {
    switch error {
    case let fault as BlockFault: "what a task sent \(fault.words)"
    case DecodingError.dataCorrupted(let context): context.debugDescription
    default: "\(error)"
    }
  }
}
