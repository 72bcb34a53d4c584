import _FoundationICU

/// Texts that look the same though their characters differ, by Unicode's tables: UTS 39, "Unicode Security Mechanisms",
/// section 4, as ICU has them.
enum Confusables {
  /// The skeleton of a text: two texts that can be taken for each other have the same one.
  ///
  ///     Confusables.skeleton(of: "соntrol")    // "control": с and о are Cyrillic
  static func skeleton(of text: String) -> String {
    var status = U_ZERO_ERROR
    guard let checker = swift_uspoof_open(&status) else { return text }
    defer { swift_uspoof_close(checker) }
    let units = Array(text.utf16)
    // No character stands for more than eighteen.
    var skeleton = [UInt16](repeating: 0, count: units.count * 18 + 1)
    let length = swift_uspoof_getSkeleton(
      checker, 0, units, Int32(units.count), &skeleton, Int32(skeleton.count), &status)
    guard status.rawValue <= U_ZERO_ERROR.rawValue, length > 0 else { return text }
    return String(decoding: skeleton[..<Int(length)], as: UTF16.self)
  }
}
