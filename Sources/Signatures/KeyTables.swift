import COpenSSL
import Crypto
import Foundation

/// Multiples of a key's point on the curve P-256, so that a signature by it is checked in two thirds of the time.
///
/// Checking takes a multiple of the curve's generator, of which every library has tables, and one of the key, which costs
/// several times as much: 58 µs with the hash. By tables of both it is 40 µs (AMD EPYC; `Benchmarks`, "signatures of notifications").
/// swift-crypto makes none for keys, so these are OpenSSL's, and so is all arithmetic on the curve.
///
/// Source: FIPS 186-5, section 6.4.2.
final class KeyTables: @unchecked Sendable {
  /// The curve with its own generator, and with the key in the generator's place. Both are only read.
  private let curve, keyed: OpaquePointer

  /// - Parameter key: the point, uncompressed, as X9.63 has it.
  /// - Returns: nil where OpenSSL makes no tables of it.
  init?(_ key: Data) {
    guard let curve = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
    guard let keyed = EC_GROUP_dup(curve) else {
      EC_GROUP_free(curve)
      return nil
    }
    (self.curve, self.keyed) = (curve, keyed)
    guard let point = EC_POINT_new(curve) else { return nil }
    defer { EC_POINT_free(point) }
    let isPoint = key.withUnsafeBytes { bytes in
      EC_POINT_oct2point(curve, point, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, nil) == 1
    }
    guard isPoint, EC_POINT_is_at_infinity(curve, point) == 0,
      EC_GROUP_set_generator(keyed, point, EC_GROUP_get0_order(curve), BN_value_one()) == 1,
      EC_GROUP_precompute_mult(keyed, nil) == 1
    else { return nil }
  }

  deinit {
    EC_GROUP_free(curve)
    EC_GROUP_free(keyed)
  }

  /// Whether the key signed what hashes to `digest`; nil where OpenSSL cannot tell, for want of memory.
  ///
  /// - Parameter signature: r and s, 32 bytes each, the highest first.
  func signed(_ signature: Data, of digest: some Digest) -> Bool? {
    guard let scratch = BN_CTX_new(), let order = EC_GROUP_get0_order(curve) else { return nil }
    BN_CTX_start(scratch)
    let (generated, ofKey) = (EC_POINT_new(curve), EC_POINT_new(curve))
    defer {
      EC_POINT_free(generated)
      EC_POINT_free(ofKey)
      BN_CTX_end(scratch)
      BN_CTX_free(scratch)
    }
    let numbers = (0..<7).map { _ in BN_CTX_get(scratch) }
    // Once it has no more, it gives none.
    guard let generated, let ofKey, numbers[6] != nil else { return nil }
    let (r, s, hash, inverse) = (numbers[0], numbers[1], numbers[2], numbers[3])
    let (u1, u2, x) = (numbers[4], numbers[5], numbers[6])

    guard Self.read(signature.prefix(32), into: r), Self.read(signature.suffix(32), into: s),
      Self.read(digest, into: hash)
    else { return nil }
    for number in [r, s] where BN_is_zero(number) == 1 || BN_cmp(number, order) >= 0 { return false }
    guard BN_mod_inverse(inverse, s, order, scratch) != nil, BN_mod_mul(u1, hash, inverse, order, scratch) == 1,
      BN_mod_mul(u2, r, inverse, order, scratch) == 1,
      EC_POINT_mul(curve, generated, u1, nil, nil, scratch) == 1,
      EC_POINT_mul(keyed, ofKey, u2, nil, nil, scratch) == 1,
      EC_POINT_add(curve, generated, generated, ofKey, scratch) == 1
    else { return nil }
    if EC_POINT_is_at_infinity(curve, generated) == 1 { return false }
    guard EC_POINT_get_affine_coordinates(curve, generated, x, nil, scratch) == 1,
      BN_nnmod(x, x, order, scratch) == 1
    else { return nil }
    return BN_cmp(x, r) == 0
  }

  private static func read(_ bytes: some ContiguousBytes, into number: OpaquePointer?) -> Bool {
    bytes.withUnsafeBytes { bytes in
      BN_bin2bn(bytes.bindMemory(to: UInt8.self).baseAddress, Int32(bytes.count), number) != nil
    }
  }
}
