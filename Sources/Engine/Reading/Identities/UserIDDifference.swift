import Foundation
import Measurement

extension UserIDDifference {
  /// - Parameters: two ids that look alike.
  init(_ one: [UInt8], _ other: [UInt8]) {
    self = Self.allCases.first { $0.explains(one, other) } ?? .marks
  }

  private func explains(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    let (left, right) = (String(decoding: one, as: UTF8.self), String(decoding: other, as: UTF8.self))
    func agree(_ form: (String) -> String) -> Bool { form(left).utf8.elementsEqual(form(right).utf8) }
    switch self {
    case .blanks: return agree { $0.filter { !$0.isWhitespace } }
    case .letterCase: return agree { $0.filter { !$0.isWhitespace }.lowercased() }
    case .unicodeForm: return agree { $0.precomposedStringWithCanonicalMapping }
    case .invisible: return agree(Self.withoutInvisible)
    case .exponent: return Self.isWhole(one) != Self.isWhole(other) && Self.loose(one) == Self.loose(other)
    case .rounding: return Self.loose(one) != Self.loose(other)
    case .prefix: return agree { $0.lowercased().replacing(#/^(0x|\\x)/#, with: "") }
    case .decimals: return agree { $0.replacing(#/\.0+$/#, with: "") }
    case .zeros: return agree { $0.lowercased().filter { $0 != "0" && !$0.isWhitespace } }
    case .marks: return true
    }
  }

  private static func loose(_ id: [UInt8]) -> UInt64 { id.withText(UserIDForm.looseHash) }

  private static func isWhole(_ id: [UInt8]) -> Bool { id.withText { LooseID.whole($0) != nil } }

  private static func withoutInvisible(_ id: String) -> String {
    let scalars = id.precomposedStringWithCanonicalMapping.unicodeScalars.filter { scalar in
      scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
