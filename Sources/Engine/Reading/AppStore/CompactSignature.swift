import CSimdjson
import Foundation

/// A JSON Web Signature in its compact form, undone: `header.payload.signature`, each in base 64 for URLs.
///
/// Source: RFC 7515, section 7.1.
struct CompactSignature {
  /// What the signature is over: header and payload as they were sent.
  let signed: UnsafeBufferPointer<UInt8>
  /// The header as it was sent.
  let header: UnsafeBufferPointer<UInt8>
  let payload: UnsafeBufferPointer<UInt8>
  let signature: UnsafeBufferPointer<UInt8>

  /// Takes a text apart; what is decoded lies in `arena`, with the padding behind it that simdjson wants.
  ///
  /// - Parameter name: of the member the text is in, for messages.
  /// - Throws: `malformed` where the text is anything but three parts in base 64 for URLs.
  init(_ text: UnsafeBufferPointer<UInt8>, named name: String, arena: TextArena) throws(EventDecoder.Fault) {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      throw .malformed("\(name) is not a signed text of three parts, header.payload.signature")
    }
    signed = UnsafeBufferPointer(rebasing: text[..<parts[1].endIndex])
    header = UnsafeBufferPointer(rebasing: parts[0])
    payload = try Self.decode(parts[1], "the payload of \(name)", arena)
    signature = try Self.decode(parts[2], "the signature of \(name)", arena)
  }

  /// The bytes of one part.
  static func decode(
    _ part: Slice<UnsafeBufferPointer<UInt8>>, _ name: @autoclosure () -> String, _ arena: TextArena
  ) throws(EventDecoder.Fault) -> UnsafeBufferPointer<UInt8> {
    let place = arena.reserve(Base64URL.decodedCount(part.count) + ol_json_padding())
    guard let count = Base64URL.decode(UnsafeBufferPointer(rebasing: part), to: place) else {
      throw .malformed("\(name()) is not base64url")
    }
    return UnsafeBufferPointer(start: place, count: count)
  }
}

extension EventDecoder.Fault {
  static func malformed(_ detail: String) -> Self { Self(reason: .malformed, detail: detail) }
}
