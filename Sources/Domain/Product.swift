/// What the program calls itself.
package enum Product {
  /// As `--version`, `run.json` and the changelog have it.
  package static let version = "0.2.0"
}
