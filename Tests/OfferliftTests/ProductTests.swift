import Testing

@testable import Domain

@Suite struct ProductTests {
  @Test("the version has three numbers")
  func versionThreeNumbers() {
    let parts = Product.version.split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3 && parts.allSatisfy { Int($0) != nil })
  }
}
