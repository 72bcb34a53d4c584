import Testing

@testable import Engine

/// What is UTF-8, against the standard library's word.
struct UTF8Tests {
  private func isUTF8(_ bytes: [UInt8]) -> Bool { bytes.withText { $0.isUTF8 } }

  @Test("All texts of two bytes, of three and four that begin as letters do, and at any distance from the end")
  func asTheStandardLibrary() {
    var differing = 0
    func compare(_ bytes: [UInt8]) {
      if isUTF8(bytes) != (String(validating: bytes, as: UTF8.self) != nil) { differing += 1 }
    }
    for one in UInt8.min...UInt8.max {
      compare([one])
      for other in UInt8.min...UInt8.max { compare([one, other]) }
    }
    let edges: [UInt8] = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff]
    for lead in UInt8(0xc0)...UInt8.max {
      for second in UInt8(0x70)...UInt8(0xc8) {
        for third in edges {
          compare([lead, second, third])
          for fourth in edges { compare([lead, second, third, fourth]) }
        }
      }
    }
    #expect(differing == 0)
  }

  @Test("A letter that is cut off is none, wherever it stands", arguments: ["é", "€", "😀"])
  func cutOff(letter: String) {
    for before in 0..<20 {
      let text = [UInt8](repeating: 0x61, count: before) + Array(letter.utf8)
      #expect(isUTF8(text) && isUTF8(text + [0x62]) && !isUTF8(text.dropLast()) && !isUTF8(text.dropLast() + [0x62]))
    }
  }
}
