import Foundation

/// The functions of the C library that results rest on. Their arguments are read from text, so that no compiler computes
/// them beforehand.
enum Arithmetic {
  /// Two units in the last place and a little.
  private static let tolerance = 1e-15
  /// glibc's own bounds of these are some units. Source: The GNU C Library, "Known Maximum Errors in Math Functions".
  private static let wide: Set<String> = ["erfc", "lgamma", "pow"]

  private static let functions: [String: @Sendable ([Double]) -> Double] = [
    "log": { log($0[0]) }, "log1p": { log1p($0[0]) }, "exp": { exp($0[0]) }, "expm1": { expm1($0[0]) },
    "erf": { erf($0[0]) }, "erfc": { erfc($0[0]) }, "lgamma": { lgamma($0[0]) }, "pow": { pow($0[0], $0[1]) },
    "sqrt": { $0[0].squareRoot() }, "sin": { sin($0[0]) }, "cos": { cos($0[0]) },
  ]

  static func trials(_ cases: [PublishedCase]) -> [Trial] {
    let own = Dictionary(grouping: cases.filter { $0.function.hasPrefix("c.") }) { String($0.function.dropFirst(2)) }
    return own.sorted { $0.key < $1.key }.map { name, cases in
      Trial(
        part: .arithmetic, name: name, source: "mpmath, 40 digits", input: cases.map(\.text).joined(separator: "\n"),
        findings: {
          cases.map { known in
            let arguments = known.arguments.numbers
            let found = functions[name]?(arguments)
            return .number(
              "\(name)(\(arguments.map { "\($0)" }.joined(separator: ", ")))", found, known.value.double,
              within: wide.contains(name) ? 4 * tolerance : tolerance)
          }
        })
    }
  }
}
