import Domain

/// What a client sends, after JSON-RPC 2.0: something to be answered, something to be known, or an answer of its own.
enum Message {
  case request(id: JSON, method: String, parameters: JSON)
  /// Nobody waits for an answer.
  case notification(method: String)
  /// An answer to what this server never asked.
  case answer

  /// - Throws: `ProtocolError` where the value is no message.
  init(_ value: JSON) throws(ProtocolError) {
    guard case .object = value, value["jsonrpc"]?.text == "2.0" else {
      throw .invalid("a message is an object with \"jsonrpc\": \"2.0\"")
    }
    guard let method = value["method"] else {
      guard value["result"] != nil || value["error"] != nil else { throw .invalid("a request names its \"method\"") }
      self = .answer
      return
    }
    guard let method = method.text else { throw .invalid("\"method\" is a text") }
    guard let id = value["id"] else {
      self = .notification(method: method)
      return
    }
    guard id.isRequestID else { throw .invalid("\"id\" is a text or a whole number") }
    self = .request(id: id, method: method, parameters: value["params"] ?? [:])
  }
}

extension JSON {
  /// The protocol allows texts and whole numbers.
  fileprivate var isRequestID: Bool {
    switch self {
    case .text: true
    case .number(let digits):
      digits.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    default: false
    }
  }
}

/// Why a message has no result. Source: JSON-RPC 2.0, "Error object"; -32002 and -32022 are the protocol's own.
struct ProtocolError: Error, Equatable {
  var code: Int
  let words: String
  /// What a program goes on by.
  var data: JSON?

  static func unreadable(_ words: String) -> Self { Self(code: -32700, words: "Parse error: \(words).") }
  static func invalid(_ words: String) -> Self { Self(code: -32600, words: "Invalid request: \(words).") }
  static func unknown(_ method: String) -> Self { Self(code: -32601, words: "There is no method \"\(method)\".") }
  static func badParameters(_ words: String) -> Self { Self(code: -32602, words: "Invalid params: \(words)") }
  static func noResource(_ words: String) -> Self { Self(code: -32002, words: "Resource not found: \(words)") }
  static func otherRevision(_ asked: String, supported: [String]) -> Self {
    Self(
      code: -32022, words: "Unsupported protocol version: this server speaks \(supported.joined(separator: ", ")).",
      data: ["supported": .texts(supported), "requested": .text(asked)])
  }

  /// As revisions from 2026-07-28 on say it, which have no code of their own for a resource that is not there.
  var ofStatelessRevisions: Self {
    var error = self
    if code == -32002 { error.code = -32602 }
    return error
  }
}
