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
    // From its end on: the signature is short, and the payload is walked over once, where it is decoded.
    guard let first = text.position(of: dot, from: 0), let second = text.lastIndex(of: dot), first < second else {
      throw .notThreeParts(name)
    }
    signed = text.slice(0..<second)
    header = text.slice(0..<first)
    let payload = text.slice(first + 1..<second)
    do throws(EventDecoder.Fault) {
      self.payload = try Self.decode(payload, "the payload of \(name)", arena)
    } catch {
      throw payload.position(of: dot, from: 0) == nil ? error : .notThreeParts(name)
    }
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
  fileprivate static func notThreeParts(_ name: String) -> Self {
    .malformed("\(name) is not a signed text of three parts, header.payload.signature")
  }

  static func malformed(_ detail: String) -> Self { Self(reason: .malformed, detail: detail) }
}
