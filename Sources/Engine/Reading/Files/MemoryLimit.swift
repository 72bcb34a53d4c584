import Domain
import Platform

/// How much memory a run may take, and how it goes about it where that is less than its inputs ask for.
package struct MemoryLimit: Sendable {
  private let bytes: Int64
  /// Where partitions of users and rejected rows lie that have no room in memory, unless `TMPDIR` names a folder.
  package let folder: String
  /// A run that takes so many bytes, though its users wait on the disk, is ended; nil lets it have what it takes.
  private let end: Int64?
  /// Users wait on the disk already.
  private var isOnDisk = false

  /// The least that makes sense: what a run takes that keeps next to nothing in memory.
  package static let least = ByteSize(bytes: 96_000_000)

  /// - Parameters:
  ///   - size: nil for half of what the machine, or the container, has.
  ///   - folder: an existing folder on a disk that has room for what does not fit.
  ///   - endsRun: a run is ended that goes a quarter beyond it with its users on the disk, or that leaves the machine next
  ///     to nothing where no size is given.
  package init(_ size: ByteSize?, folder: String, endsRun: Bool = false) {
    let total = Int64(SystemMemory.total)
    bytes = size?.bytes ?? total / 2
    self.folder = folder
    end = endsRun ? size.map { $0.bytes + max($0.bytes / 4, 64_000_000) } ?? total / 10 * 9 : nil
  }

  /// The same limit once users wait on the disk.
  var onDisk: MemoryLimit {
    var limit = self
    limit.isOnDisk = true
    return limit
  }

  /// A unit of gzipped inputs takes about twice its size in memory; whether inputs are packed is not asked.
  private static let growth: Int64 = 2

  /// Whether inputs of so many bytes, as they lie on the disk, may well fit.
  func mayHold(_ inputs: Int64) -> Bool { inputs < bytes / Self.growth }

  /// - Throws: `MemoryExceeded` where the process has taken so much that what follows reading may have no room, or, with
  ///   users on the disk, more than the run may have.
  func check() throws {
    if let most = isOnDisk ? end : bytes / 5 * 3, Int64(SystemMemory.resident) > most { throw MemoryExceeded() }
  }

  /// What there is to say where not even a run with its users on the disk fits; exit 71.
  var refusal: OfferliftError {
    OfferliftError(
      .systemLimit,
      "the run takes more memory than \(Phrase.count(Int(bytes / 1_000_000))) MB though users wait on the disk. What stays in memory is "
        + "the names of products and of attributes' values, and the events of one user at a time: look for a column that tells "
        + "every row apart and is taken for productId or for a segment, and for one id that thousands share, an empty one or a "
        + "tester's, and leave it out with skip_where:. Else give --memory more.")
  }

  /// The most that a run may take; nil where it may have what it takes.
  var most: Int64? { end }

  /// How many bytes of rejected rows' lines wait in memory before others go to the disk: nobody is in a hurry to have them.
  var roomForRejects: Int64 { min(bytes / 32, 64_000_000) }

  // MARK: - On the disk

  /// How many bits of a user's hash tell its partition on the disk, so that several fit the memory together.
  func partitionBits(for inputs: Int64, threads: Int) -> Int {
    let wanted = inputs * Self.growth / max(1, bytes / Int64(8 * threads))
    let bits = UserDirectory.partitionBits...Self.mostBits
    return bits.first { Int64(1) << $0 >= wanted } ?? bits.upperBound
  }

  private static let mostBits = 10

  /// How many rows wait for each partition before they are written: a quarter of the memory in all.
  func rowsOfBlock(bits: Int, threads: Int) -> Int {
    let room = bytes / 4 / Int64((threads + 1) << bits)
    return Int(min(max(room / Self.bytesOfWaitingRow, 64), Int64(Block.mostRows)))
  }

  /// How many bytes of blocks of events that follow charges are settled at once: who has their charges takes several times
  /// as much, and the fewer are settled at once, the shorter are the blocks that become of them.
  func roomForFollowing(threads: Int) -> Int64 { bytes / Int64(32 * threads) }

  /// Its columns, its user's id twice, who has its charge, and the room that buffers have to spare.
  private static let bytesOfWaitingRow: Int64 = 320

  /// In how many slices a partition of so many bytes is taken, a power of two: each fits beside those of other threads.
  func slices(ofBytes size: Int64, threads: Int) -> Int {
    let room = bytes / Int64(4 * threads)
    var slices = 1
    while Int64(slices) * room < size * Self.growthFromBlocks, slices < 1 << 16 { slices *= 2 }
    return slices
  }

  /// Rows in memory take about so many times the bytes of their blocks: once as they come, once by user.
  private static let growthFromBlocks: Int64 = 5
}

/// A run that was to fit the memory does not.
struct MemoryExceeded: Error {}
