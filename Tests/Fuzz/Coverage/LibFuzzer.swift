import Dispatch
import Foundation

/// Has libFuzzer give one reader of files, the one of `FUZZ_FILE`, inputs that reach code which no input before has
/// reached. `Tests/fuzz.sh --coverage` builds and runs it.
@main
private enum Fuzzed {
  static func main() {
    var (count, arguments) = (CommandLine.argc, CommandLine.unsafeArgv)
    exit(runFuzzer(&count, &arguments, tryInput))
  }

  static let reader: ReaderTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_FILE"] ?? ""
    guard let reader = ReaderTarget(name) else { fatalError("FUZZ_FILE names no file that is read: \"\(name)\"") }
    return reader
  }()

  /// A folder of this process' own.
  static let folder: URL = {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "fuzz-\(ProcessInfo.processInfo.processIdentifier)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try reader.prepare(folder) { Array(try Data(contentsOf: URL(filePath: "Tests/Fuzz/corpus").appending(path: $0))) }
    } catch { fatalError("\(error)") }
    return folder
  }()
}

/// libFuzzer's own way through its command line and its inputs, which ends the process.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Tries an input; ends the process where the program is wrong.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: data, count: count))
  let isDone = DispatchSemaphore(value: 0)
  Task.detached {
    do { try await Fuzzed.reader.use(input, in: Fuzzed.folder) } catch {
      if !ReaderTarget.isExpected(error) { fatalError("\(error)") }
    }
    isDone.signal()
  }
  isDone.wait()
  return 0
}

/// libFuzzer's own changes of bytes, which know nothing of layouts.
@_silgen_name("LLVMFuzzerMutate")
private func changeBlindly(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int

/// Changes an input in place: half of the time as somebody would who knows its layout.
@_cdecl("LLVMFuzzerCustomMutator")
public func change(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: UInt32) -> Int {
  guard seed % 2 == 0, count > 0 else { return changeBlindly(data, count, most) }
  var mutator = Mutator(seed: UInt64(seed))
  let changed = Fuzzed.reader.changed(Array(UnsafeBufferPointer(start: data, count: count)), by: &mutator)
  let retained = changed.prefix(most)
  for (position, byte) in retained.enumerated() { data[position] = byte }
  return retained.count
}
