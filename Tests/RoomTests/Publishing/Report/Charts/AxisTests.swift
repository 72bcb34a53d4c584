import Testing

@testable import Measurement
@testable import Publishing

@Suite("Axes of drawings")
struct AxisTests {
  @Test(
    "An axis shows its values between round numbers",
    arguments: [
      ([0.0, 0.1], [0, 0.02, 0.04, 0.06, 0.08, 0.1]), ([3.0, 3.0], nil), ([-1, 1e9], nil), ([], nil),
      ([-0.5, 1.4], [-0.5, 0, 0.5, 1]), ([1e300, 1.0000001e300], nil), ([.infinity, 1, 2], nil),
    ] as [([Double], [Double]?)])
  func axis(values: [Double], ticks: [Double]?) {
    let axis = Axis(values, pixels: 10...110)
    #expect((1...50).contains(axis.ticks.count))
    #expect(axis.ticks.allSatisfy { (10...110).contains(axis.position($0)) })
    if let ticks {
      #expect(zip(axis.ticks, ticks).allSatisfy { abs($0 - $1) < 1e-12 } && axis.ticks.count == ticks.count)
    }
    #expect(Axis([0, 1], pixels: 0...10, isUpwards: true).position(1) == 0)
  }
}
