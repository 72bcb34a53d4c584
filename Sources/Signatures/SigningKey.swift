import Crypto
import Synchronization

/// The key of a signer. A store signs with one for years, so a key that is met often gets tables that make checking cheaper.
package final class SigningKey: Sendable {
  private let key: P256.Signing.PublicKey
  private let checked = Atomic<Int>(0)
  private let tables = Mutex<KeyTables?>(nil)

  /// How many signatures are checked without tables: making these takes as long as they save on some 700.
  package static let enoughForTables = 1000

  init(_ key: P256.Signing.PublicKey) {
    self.key = key
  }

  /// Whether this key signed what hashes to `digest`, by ECDSA.
  ///
  /// - Parameter signature: the 64 bytes of r and s, each the highest byte first.
  func signed(_ signature: P256.Signing.ECDSASignature, of digest: some Digest) -> Bool {
    if let tables = tables.withLock({ $0 }), let isValid = tables.signed(signature.rawRepresentation, of: digest) {
      return isValid
    }
    if checked.add(1, ordering: .relaxed).newValue == Self.enoughForTables {
      let made = KeyTables(key.x963Representation)
      tables.withLock { $0 = made }
    }
    return key.isValidSignature(signature, for: digest)
  }
}
