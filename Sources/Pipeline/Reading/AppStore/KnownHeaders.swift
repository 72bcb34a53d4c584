import CSimdjson
import Foundation

/// The headers of signed texts. A store signs with few keys, so one header follows another of the same bytes,
/// certificates and all, and need not be read again.
struct KnownHeaders {
  private let headers = JSONObjectReader<SignatureHeaderMember>()
  private var last: [UInt8] = []

  /// - Throws: `malformed` where the header is not a JSON object.
  mutating func check(
    _ header: UnsafeBufferPointer<UInt8>, of name: String, _ arena: TextArena
  ) throws(EventDecoder.Fault) {
    guard !header.elementsEqual(last) || last.isEmpty else { return }
    let text = try CompactSignature.decode(header[...], "the header of \(name)", arena)
    defer { headers.forget() }
    guard headers.read(text) != nil else {
      throw .malformed("the header of \(name) is not exactly one valid JSON object")
    }
    last = Array(header)
  }
}

/// What is read of a signature's header. Source: RFC 7515, section 4.1.
enum SignatureHeaderMember: Int, JSONMember {
  /// The algorithm, and the certificates from the signer's own to the root's.
  case alg, x5c

  var source: SourceField { SourceField(name: String(describing: self)) }
}
