import Domain
import Foundation
import Platform
import Testing

@Suite("Room on a disk")
struct ScratchFileTests {
  private func folder() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.path
  }

  @Test("Bytes come back from where they were put")
  func bytesComeBack() throws {
    let folder = try folder()
    let file = try ScratchFile(in: folder, environment: [:])
    #expect(try file.append([1, 2, 3]) == 0)
    let start = try file.append([4, 5, 6, 7])
    #expect(start == 3)
    var bytes = [UInt8](repeating: 0, count: 3)
    try file.read(from: 4, into: &bytes)
    #expect(bytes == [5, 6, 7])
    #expect(file.size == 7)
  }

  @Test("No name leads to it, so that nothing is left of a run that dies")
  func hasNoName() throws {
    let folder = try folder()
    let file = try ScratchFile(in: folder, environment: [:])
    _ = try file.append([1])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    withExtendedLifetime(file) {}
  }

  @Test("TMPDIR says where it lies, unless it is empty")
  func environmentDecides() throws {
    let folder = try folder()
    let error = #expect(throws: OfferliftError.self) {
      try ScratchFile(in: folder, environment: ["TMPDIR": folder + "/none"])
    }
    #expect(
      error.map { "\($0)" }?.hasSuffix(
        "/none: No such file or directory. The environment's TMPDIR names it: name a folder that can be written, or unset it."
      ) == true)
    _ = try ScratchFile(in: folder, environment: ["TMPDIR": ""])
  }

  @Test("A folder that cannot be written is named, with what to do")
  func namesTheFolder() throws {
    let error = #expect(throws: OfferliftError.self) { try ScratchFile(in: "/proc", environment: [:]) }
    #expect(error?.exit == .cannotCreateOutput)
    #expect(
      error.map { "\($0)" }?.hasPrefix("cannot create a temporary file in /proc: ") == true
        && error.map { "\($0)" }?.hasSuffix("Let the environment's TMPDIR name a folder that can be written.") == true)
  }

  @Test("Bytes that are not there are an error, not zeros")
  func endsWhereItEnds() throws {
    let file = try ScratchFile(in: try folder(), environment: [:])
    _ = try file.append([1, 2])
    var bytes = [UInt8](repeating: 0, count: 3)
    #expect(throws: OfferliftError.self) { try file.read(from: 0, into: &bytes) }
  }
}
