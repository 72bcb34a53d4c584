/// The ids that users go by, one for each number.
struct UserName: Sendable {
  let seed: UInt64
  let styles: ShareTable<Scenario.UserIDStyle>

  init(_ scenario: Scenario) {
    seed = scenario.seed
    styles = scenario.userIDs
  }

  /// Writes the id of the user with this number.
  func write(_ user: UInt32, to bytes: inout [UInt8]) {
    switch style(of: user) {
    case .plain:
      bytes.append(UInt8(ascii: "u"))
      bytes.write(UInt64(user), width: 7)
    case .leadingZero: bytes.write(UInt64(user), width: user % 2 == 0 ? 9 : 1)
    case .twentyDigit: write(twentyDigits: user, to: &bytes)
    case .uuid: write(uuid: user, to: &bytes)
    }
  }

  /// Neighbours share a style, so that ids which differ by leading zeros alone do occur.
  private func style(of user: UInt32) -> Scenario.UserIDStyle {
    var draws = SeededGenerator(seed: seed, stream: .name, index: UInt64(user / 2))
    return styles.value(at: draws.part()) ?? .plain
  }

  /// More than 64 bits hold: a reader that takes ids for numbers makes one user of several.
  private func write(twentyDigits user: UInt32, to bytes: inout [UInt8]) {
    bytes.write("9000")
    let modulus: UInt64 = 10_000_000_000_000_000
    let product = UInt64(user).multipliedFullWidth(by: 6_364_136_223_846_793)
    bytes.write(modulus.dividingFullWidth(product).remainder, width: 16)
  }

  private func write(uuid user: UInt32, to bytes: inout [UInt8]) {
    let high = SeededGenerator.mixed(seed ^ UInt64(user))
    let low = SeededGenerator.mixed(high)
    bytes.write(hex: high >> 32, digits: 8)
    bytes.append(UInt8(ascii: "-"))
    bytes.write(hex: high >> 16, digits: 4)
    bytes.append(UInt8(ascii: "-"))
    bytes.write(hex: high, digits: 4)
    bytes.append(UInt8(ascii: "-"))
    bytes.write(hex: low >> 48, digits: 4)
    bytes.append(UInt8(ascii: "-"))
    bytes.write(hex: low, digits: 12)
  }
}
