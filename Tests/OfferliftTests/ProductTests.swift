import Foundation
import Testing

@testable import Domain

@Suite struct ProductTests {
  @Test("the version has three numbers")
  func versionThreeNumbers() {
    let parts = Product.version.split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3 && parts.allSatisfy { Int($0) != nil })
  }

  @Test("CHANGELOG.md begins with this version and its day")
  func changes() throws {
    let text = try String(contentsOf: repository.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let heading = try #require(text.split(separator: "\n").first { $0.hasPrefix("## ") })
    let newest = try #require(heading.wholeMatch(of: /## (\S+) \((\d{4}-\d{2}-\d{2})\)/))
    #expect(newest.1 == Product.version)
  }
}
