import Crypto
import Foundation
import Testing

@testable import Signatures

@Suite("Signatures by ECDSA on P-256")
struct SigningKeyTests {
  /// One of `signatures.py`'s.
  struct Case: Decodable, CustomTestStringConvertible {
    let why: String
    /// Hexadecimal: the key's point, a hash, and r and s.
    let key, digest, signature: String
    let isValid: Bool

    var testDescription: String { why }
  }

  static let cases: [Case] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Signatures.json")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let data = try? Data(contentsOf: file) else { return [] }
    return (try? decoder.decode([Case].self, from: data)) ?? []
  }()

  /// A hash of any bytes, which need not be of anything.
  struct ChosenDigest: Digest {
    static let byteCount = 32
    let bytes: [UInt8]

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      try bytes.withUnsafeBytes(body)
    }

    func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }

    var description: String { "\(bytes)" }
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  @Test("There are cases of both kinds")
  func both() {
    #expect(Self.cases.count { $0.isValid } > 30)
    #expect(Self.cases.count { !$0.isValid } > 30)
  }

  @Test("At the edges, with tables and without, they are what arithmetic makes of them", arguments: cases)
  func edges(given: Case) throws {
    let point = Self.bytes(given.key)
    let signature = Data(Self.bytes(given.signature))
    let digest = ChosenDigest(bytes: Self.bytes(given.digest))
    let tables = try #require(KeyTables(Data(point)))
    #expect(tables.signed(signature, of: digest) == given.isValid)
    let key = SigningKey(try P256.Signing.PublicKey(x963Representation: point))
    #expect(try key.signed(.init(rawRepresentation: signature), of: digest) == given.isValid)
  }

  @Test("A point that is not on the curve gets no tables")
  func noPoint() {
    #expect(KeyTables(Data([4] + [UInt8](repeating: 7, count: 64))) == nil)
    #expect(KeyTables(Data()) == nil)
    #expect(KeyTables(Data([0])) == nil)
  }

  @Test("A key that is met often, by several at once, goes on telling right from wrong")
  func often() async throws {
    let secret = P256.Signing.PrivateKey()
    let key = SigningKey(secret.publicKey)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<4 {
        group.addTask {
          for number in 0..<600 {
            let digest = SHA256.hash(data: Data("\(part) \(number)".utf8))
            let signature = try secret.signature(for: digest)
            var changed = Array(signature.rawRepresentation)
            changed[number % 64] ^= 1 << UInt8(number % 8)
            #expect(key.signed(signature, of: digest))
            #expect(try !key.signed(.init(rawRepresentation: changed), of: digest))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
