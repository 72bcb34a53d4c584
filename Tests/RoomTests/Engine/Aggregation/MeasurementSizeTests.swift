import Testing

@testable import Engine

@Suite("How much a job asks to be measured")
struct MeasurementSizeTests {
  @Test("A thousand tests, and fifty metrics over two years, are little")
  func usual() {
    let tests = MeasurementSize(groups: 2_000, metrics: 2, nights: 57, splits: [10], users: 400_000)
    let metrics = MeasurementSize(groups: 3, metrics: 50, nights: 730, splits: [5, 40], users: 1_000_000)
    #expect(tests.bytes < 96_000_000)
    #expect(metrics.bytes < 96_000_000)
  }

  @Test("Of a split there are no more cells than users")
  func cells() {
    #expect(MeasurementSize(groups: 10, metrics: 1, nights: 1, splits: [4], users: 1_000).cells == 50)
    #expect(MeasurementSize(groups: 10, metrics: 1, nights: 1, splits: [400, 3], users: 100).cells == 140)
  }

  @Test("What no machine holds is refused with what there is too much of, and what to type")
  func tooMuch() {
    let size = MeasurementSize(groups: 20_000, metrics: 200, nights: 48, splits: [50], users: 100_000)
    #expect(size.bytes == 50_400_000_000)
    let error = size.refusal(beyond: 12_000_000_000)
    #expect(error.exit == .systemLimit)
    #expect(
      error.message.hasPrefix(
        "the job asks for 200 metrics of 20,000 groups, 120,000 segments and 48 nights: about 50,400 MB, and the run may take "
          + "12,000 MB."))
    #expect(error.message.contains("offerings:"))
  }
}
