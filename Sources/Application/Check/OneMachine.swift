import Domain
import Foundation
import Platform

/// Whether a job's night asks for more than this machine, by what nights cost where they were measured.
///
/// `Benchmarks/scale.md` has the measurements; they are of JSON with seven metrics, so others take a few times less or
/// more.
struct OneMachine {
  /// How many threads read and count.
  let cores: Int
  /// What a run takes of the memory before it puts partitions of users on the disk, in bytes.
  let memory: Double
  /// What is free there.
  let freeDisk: Double

  /// Longer than this a night should not take: it can fail at its end and be done again before morning.
  private static let patience = 2.0 * 3600
  /// Seconds of one core for a byte of unpacked input: 8.5 for 1.75 GB.
  private static let seconds = 8.5 / 1.75e9
  /// What partitions of users take on the disk for a byte of unpacked input: 233 MB for 1.75 GB.
  private static let diskBytes = 0.233 / 1.75
  /// Seconds of one core on Spark, and those before the first row and between its stages.
  private static let secondsOnSpark = 45 / 1.75e9
  private static let secondsOfStart = 60.0
  /// A cluster to compare with: eight machines of eight.
  private static let coresOnSpark = 64.0

  /// What to do instead; nil where one machine is enough.
  func advice(for load: InputLoad) -> String? {
    let seconds = load.unpackedBytes * Self.seconds / Double(max(1, cores))
    let disk = load.unpackedBytes * Self.diskBytes
    // In memory rows take about twice their packed files.
    let isTooLarge = load.bytes * 2 > memory && disk > freeDisk
    guard seconds > Self.patience || isTooLarge else { return nil }
    let onSpark = Self.secondsOfStart + load.unpackedBytes * Self.secondsOnSpark / Self.coresOnSpark
    let rows = load.rows < 1e6 ? "" : ", about \(Phrase.rounded(load.rows / 1e6)) million rows"
    let room =
      isTooLarge
      ? " and \(Self.gigabytes(disk)) of the disk, of which \(Self.gigabytes(freeDisk)) are free" : ""
    return
      "These inputs are \(Self.gigabytes(load.bytes)) on the disk\(rows): on this machine's "
      + "\(Phrase.count(cores, "core")) a night takes about \(Self.time(seconds))\(room). "
      + "Apache Spark takes about \(Self.time(onSpark)) on \(Phrase.rounded(Self.coresOnSpark)) cores: see jobs/spark.md."
  }

  private static func gigabytes(_ bytes: Double) -> String { "\(Phrase.rounded(bytes / 1e9)) GB" }

  private static func time(_ seconds: Double) -> String {
    let minutes = (seconds / 60).rounded(.up)
    return minutes < 90 ? Phrase.count(Int(minutes), "minute") : "\(Phrase.decimal(seconds / 3600, decimals: 1)) hours"
  }
}

extension OneMachine {
  /// This machine, for a run without `--memory`.
  ///
  /// - Parameter folder: where results go.
  init(threads: Int, folder: URL) {
    let scratch = ProcessInfo.processInfo.environment["TMPDIR"].map { URL(fileURLWithPath: $0) } ?? folder
    cores = threads
    memory = Double(SystemMemory.total) / 2
    freeDisk = Self.free(at: scratch)
  }

  /// What is free on the disk of a folder, which need not be there yet; no limit where the system does not tell.
  private static func free(at folder: URL) -> Double {
    var position = folder.standardizedFileURL
    while !FileManager.default.fileExists(atPath: position.path), position.path != "/" {
      position.deleteLastPathComponent()
    }
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: position.path)
    return (facts?[.systemFreeSize] as? NSNumber)?.doubleValue ?? .infinity
  }
}
