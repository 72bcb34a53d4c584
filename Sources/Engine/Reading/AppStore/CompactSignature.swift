/// A JSON Web Signature in its compact form, undone: `header.payload.signature`, each in base 64 for URLs.
///
/// Source: RFC 7515, section 7.1.
struct CompactSignature {
  /// What the signature is over: header and payload as they were sent.
  let signed: Text
  /// The header as it was sent.
  let header: Text
  let payload: Text
  let signature: Text

  /// Takes a text apart; what is decoded lies in `arena`.
  ///
  /// - Parameter name: of the member the text is in, for messages.
  /// - Throws: `malformed` where the text is anything but three parts in base 64 for URLs.
  init(_ text: Text, named name: String, arena: TextArena) throws(EventDecoder.Fault) {
    let dot = UInt8(ascii: ".")
    guard let first = text.place(of: dot, from: 0), let second = text.place(of: dot, from: first + 1),
      text.place(of: dot, from: second + 1) == nil
    else { throw .malformed("\(name) is not a signed text of three parts, header.payload.signature") }
    signed = text.slice(0..<second)
    header = text.slice(0..<first)
    payload = try Self.decode(text.slice(first + 1..<second), "the payload of \(name)", arena)
    signature = try Self.decode(text.slice(second + 1..<text.endIndex), "the signature of \(name)", arena)
  }

  /// The bytes of one part.
  static func decode(
    _ part: Text, _ name: @autoclosure () -> String, _ arena: TextArena
  ) throws(EventDecoder.Fault) -> Text {
    guard
      let decoded = arena.write(
        atMost: Base64URL.decodedCount(part.count), { Base64URL.decode(part.span, to: &$0) })
    else { throw .malformed("\(name()) is not base64url") }
    return decoded
  }
}

extension EventDecoder.Fault {
  static func malformed(_ detail: String) -> Self { Self(reason: .malformed, detail: detail) }
}
