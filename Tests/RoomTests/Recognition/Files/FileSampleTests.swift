import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Platform
@testable import Recognition

@Suite("Samples of files that nobody has described")
struct FileSampleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sample(_ rows: Int) throws -> FileSample {
    let text = "n,k\n" + (0..<rows).map { "\($0),\($0 % 3)\n" }.joined()
    let file = try folder.write("t.csv", text)
    return try FileSample(InputFile(path: file.path, displayName: "t.csv"))
  }

  @Test("A small file is looked at whole", arguments: [1, 2000, 5000])
  func small(rows: Int) throws {
    let sample = try sample(rows)
    #expect(sample.rows.count == rows && sample.rowCount == rows && !sample.isCut)
    #expect(sample.lines == Array(2...(rows + 1)))
    #expect(sample.words.hasSuffix("looked at \(Phrase.count(rows, "row"))"))
  }

  @Test("Rows of a large one come from all over it, neighbours together, each with its line")
  func large() throws {
    let sample = try sample(400_000)
    #expect(sample.rowCount == 400_000 && (6000...20_000).contains(sample.rows.count))
    let numbers = sample.values(of: "n").compactMap(Int.init)
    #expect(numbers == numbers.sorted() && zip(numbers, sample.lines).allSatisfy { $0 + 2 == $1 })
    for tenth in 0..<10 {
      #expect(numbers.count { $0 / 40_000 == tenth } >= 400, "\(tenth)")
    }
    #expect(zip(numbers, numbers.dropFirst()).count { $0 + 1 == $1 } > numbers.count * 9 / 10)
  }

  @Test("What values a column has is known of all rows")
  func sketches() throws {
    let sample = try sample(400_000)
    #expect(sample.sketch(of: "k").distinct == 3 && sample.filled("k") == 400_000)
    let distinct = sample.sketch(of: "n").distinct
    #expect((360_000...440_000).contains(distinct), "\(distinct)")
  }

  @Test("Two sketches tell what columns share, however many values they have")
  func shares() {
    func sketch(_ numbers: some Sequence<Int>) -> ValueSketch {
      numbers.reduce(into: ValueSketch()) { sketch, number in
        Array("user-\(number)".utf8).withText { sketch.add(ValueSketch.hash($0)) }
      }
    }
    let users = sketch(0..<300_000)
    let share = sketch(stride(from: 150_000, to: 450_000, by: 3)).share(in: users)
    #expect((0.46...0.54).contains(share), "\(share)")
    #expect(sketch(300_000..<301_000).share(in: users) == 0)
    #expect(sketch([7, 7, 300_001]).share(in: sketch([7, 8])) == 0.5)
  }

  @Test("An id that is a UUID is the same in capital letters, and no other text is")
  func letters() {
    func hash(_ text: String) -> UInt64 { Array(text.utf8).withText { ValueSketch.hash($0) } }
    let id = "6f9619ff-8b86-d011-b42d-00c04fc964ff"
    #expect(hash(id) == hash(id.uppercased()) && hash("user-a") != hash("USER-A"))
  }
}
