import Testing

@testable import Domain
@testable import Engine
@testable import Platform

@Suite("Where blocks of a partition lie")
struct PieceListTests {
  private let folder: TemporaryFolder
  private let disk: ScratchFile

  init() throws {
    folder = try TemporaryFolder()
    disk = try ScratchFile(in: folder.path(""), environment: [:])
  }

  private static func piece(_ number: Int) -> BlockPiece {
    BlockPiece(
      kind: .events, partition: number % 65_536, source: UInt32(number), start: Int64(number) << 30, count: number * 7)
  }

  private func reported(_ pieces: [BlockPiece]) -> [String] {
    pieces.map { "\($0.kind) \($0.partition) \($0.source) \($0.start) \($0.count)" }
  }

  @Test("They come back in the order they came in, however many", arguments: [0, 1, 127, 128, 129, 100_000])
  func order(count: Int) throws {
    var list = PieceList()
    let pieces = (0..<count).map(Self.piece)
    for piece in pieces { list.add(piece, on: disk) }
    #expect(try reported(list.all(on: disk)) == reported(pieces))
    #expect(list.bytes == pieces.reduce(Int64(0)) { $0 + Int64($1.count) })
  }

  @Test("All but the last few are told on the disk")
  func onDisk() throws {
    var list = PieceList()
    for number in 0..<PieceList.mostInMemory - 1 { list.add(Self.piece(number), on: disk) }
    #expect(disk.size == 0)
    list.add(Self.piece(0), on: disk)
    #expect(disk.size > 0)
  }

  @Test("The widest numbers come back")
  func widest() throws {
    var list = PieceList()
    let piece = BlockPiece(
      kind: .following, partition: 65_535, source: .max, start: .max, count: Int(UInt32.max))
    for _ in 0..<PieceList.mostInMemory { list.add(piece, on: disk) }
    #expect(try Set(reported(list.all(on: disk))) == Set(reported([piece])))
  }
}
