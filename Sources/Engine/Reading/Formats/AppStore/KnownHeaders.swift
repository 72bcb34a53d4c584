import Signatures

/// The headers of signed texts. A store signs with few keys, so one header follows another of the same bytes,
/// certificates and all, and need not be looked at again.
struct KnownHeaders {
  private let headers = JSONObjectReader<SignatureHeaderMember>()
  private let verifier: NotificationVerifier?
  /// Headers that were in order, the next to be replaced at `oldest`; each lies in an arena of its own.
  private var known: [Known] = []
  private var oldest = 0

  /// How many are kept: the layers of one notification may name different keys.
  private static let limit = 4

  private struct Known {
    let header: Text
    let arena: TextArena
    let signer: TrustedSigner?
  }

  /// - Parameter verifier: nil asks of a header only that it is one.
  init(verifier: NotificationVerifier?) {
    self.verifier = verifier
  }

  /// Whom a header names; nil where nothing is verified.
  ///
  /// - Throws: `malformed` where the header is not a JSON object; `unverified` where whom it names is not trusted.
  mutating func signer(
    _ header: Text, of name: String, _ arena: TextArena
  ) throws(EventDecoder.Fault) -> TrustedSigner? {
    if let position = known.firstIndex(where: { $0.header == header }) { return known[position].signer }
    defer { headers.forget() }
    let read = { [headers] () throws(EventDecoder.Fault) in
      let text = try CompactSignature.decode(header, "the header of \(name)", arena)
      guard let members = headers.read(text) else {
        throw .malformed("the header of \(name) is not exactly one valid JSON object")
      }
      return members
    }
    let signer = try Self.signer(header, verifier, named: name, read)
    retain(header, signer)
    return signer
  }

  private mutating func retain(_ header: Text, _ signer: TrustedSigner?) {
    let arena = TextArena()
    let new = Known(header: arena.copy(header), arena: arena, signer: signer)
    guard known.count == Self.limit else { return known.append(new) }
    known[oldest] = new
    oldest = (oldest + 1) % Self.limit
  }

  private static func signer(
    _ header: Text, _ verifier: NotificationVerifier?, named name: String,
    _ read: () throws(EventDecoder.Fault) -> Record<SignatureHeaderMember>
  ) throws(EventDecoder.Fault) -> TrustedSigner? {
    guard let verifier else {
      _ = try read()
      return nil
    }
    do throws(EventDecoder.Fault) {
      return try verifier.signer(header, read: read)
    } catch {
      guard error.reason == .unverified else { throw error }
      throw .unverified("\(name): \(error.detail)")
    }
  }
}

/// What is read of a signature's header. Source: RFC 7515, section 4.1.
enum SignatureHeaderMember: Int, JSONMember {
  /// The algorithm, and the certificates from the signer's own to the root's.
  case alg, x5c
  /// What a reader must understand beside that, and whether the payload is encoded.
  case crit, b64

  var source: SourceField { SourceField(name: String(describing: self)) }
}
