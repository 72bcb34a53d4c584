import Domain

/// Opens signed texts, and checks who signed them where the job asks for it.
struct SignedLayers {
  /// Nil where the job asks for no verification.
  let verifier: NotificationVerifier?
  private let arena = TextArena()
  private var headers: KnownHeaders
  /// Of the times of signatures.
  private var time = TimeText(timezone: .gmt, unit: .milliseconds)

  init(verifier: NotificationVerifier?) {
    self.verifier = verifier
    headers = KnownHeaders(verifier: verifier)
  }

  /// Gives back what the texts opened so far took.
  func forget() { arena.clear() }

  /// The transaction or the renewal in a payload, signed or decoded; nil where the payload has none.
  mutating func layer<Member>(
    _ field: Field, _ name: String, with reader: JSONObjectReader<Member>, at signedDate: Member
  ) throws(EventDecoder.Fault) -> Record<Member>? {
    if field.isMissing { return nil }
    if field.kind == .string { return try open(field, name, with: reader, at: signedDate) }
    guard let layer = reader.read(field.bytes) else {
      throw .malformed("\(name) is neither a signed text nor an object")
    }
    guard verifier == nil else { throw .unverified("\(name) came decoded, without its signature") }
    return layer
  }

  /// Opens a signed text and reads its payload, whose member `signedDate` tells when it was signed.
  mutating func open<Member>(
    _ field: Field, _ name: String, with reader: JSONObjectReader<Member>, at signedDate: Member
  ) throws(EventDecoder.Fault) -> Record<Member> {
    guard field.kind == .string else { throw .malformed("\(name) is not a string") }
    let text = try CompactSignature(field.bytes, named: name, arena: arena)
    let signer = try headers.signer(text.header, of: name, arena)
    guard let payload = reader.read(text.payload) else {
      throw .malformed("the payload of \(name) is not exactly one valid JSON object")
    }
    if let verifier, let signer {
      guard let date = try? time.parse(payload.text(signedDate).span) else {
        throw .unverified("\(name): no signedDate tells when it was signed")
      }
      try verifier.check(text, by: signer, signedDate: date, of: name)
    }
    return payload
  }
}
