import Domain
import Jobs
import Measurement
import Platform

/// All files of a run as its tasks tell of them, and the names in them.
///
/// Blocks and listings come in any order; once all are there, files have the order and numbers that they have where one
/// process reads them: by input, then by the bytes of their names.
struct ExchangedFiles {
  private let run: ExchangedRun
  private var heads: [String: ExchangedFile] = [:]
  /// Files that are there, whether or not a task told of them.
  private var listed: [String: ListedFile] = [:]
  private(set) var names: NameLists

  init(_ run: ExchangedRun) {
    self.run = run
    names = NameLists(attributes: run.job.segmentAttributes.count)
  }

  /// Takes what a task told of a file, or its names.
  ///
  /// - Throws: `BlockFault` where the block is neither; `OfferliftError` where two tasks told of one file.
  mutating func accept(_ block: ExchangedBlock, _ kind: Block.Kind) throws {
    switch kind {
    case .file:
      let head = try ExchangedFile(block.bytes)
      guard heads.updateValue(head, forKey: head.key) == nil else {
        throw OfferliftError(.internalError, "\(head.name): two tasks have read it, and one was asked to.")
      }
    case .names:
      names.merge(
        try NameLists(Block.body(of: block.bytes, .names), attributes: run.job.segmentAttributes.count))
    default: throw BlockFault.misplaced
    }
  }

  /// Takes a file that is among an input's, and the one that is read in its place.
  mutating func list(_ file: ListedFile) { listed[file.key] = file }

  /// Every file, in order.
  ///
  /// Empty files, and those whose bytes are another's, have no row that would reach a task: they are read here.
  ///
  /// - Throws: `OfferliftError` where a task told of a file that is not there, or an empty file is none that can be read.
  func ordered() throws -> Ordered {
    if let foreign = heads.values.filter({ listed[$0.key] == nil }).map(\.name).min() {
      throw OfferliftError(.internalError, "\(foreign): a task has read it, and it is not among the run's files.")
    }
    let task = listed.count == heads.count ? nil : try FileTask(run)
    let files = try listed.map { key, file in
      if let head = heads[key] { return head }
      var head = try Self.withoutRows(file, task)
      head.reading.sameAs = file.sameAs
      return head
    }
    return Ordered(
      files.sorted { left, right in
        left.input == right.input
          ? left.name.utf8.lexicographicallyPrecedes(right.name.utf8) : left.input < right.input
      }, run)
  }

  private static func withoutRows(_ file: ListedFile, _ task: FileTask?) throws -> ExchangedFile {
    let reported = CollectedBlocks()
    let content = InputFile(file.contentWithoutRows(), displayName: file.name)
    try task?.read(content, ofInput: file.input) { reported.append($0.bytes) }
    for block in reported.all where try Block.head(block).kind == .file { return try ExchangedFile(block) }
    throw BlockFault.misplaced
  }

  /// The files in the order that `inputs.csv` has them in.
  struct Ordered {
    let assignments: [ExchangedFile]
    let logs: [ExchangedFile]
    /// Which feed and input each log belongs to.
    let feeds: FeedIndex
    /// Numbers of the files whose assignments do not count, because they turned out to be damaged.
    let abandoned: Set<Int>
    private let numbers: [String: UInt32]
    private let isDamaged: Set<String>
    private let isLog: Set<String>

    fileprivate init(_ files: [ExchangedFile], _ run: ExchangedRun) {
      let tables = run.job.assignments.count
      assignments = files.filter { $0.input < tables }
      logs = files.filter { $0.input >= tables }
      feeds = FeedIndex(
        ofFiles: logs.map { PurchaseCatalog.feed(of: run.job.purchases[$0.input - tables].format) },
        inputs: logs.map { $0.input - tables }, names: logs.map(\.name))
      let all = [assignments, logs].flatMap { $0.enumerated() }
      numbers = Dictionary(uniqueKeysWithValues: all.map { ($1.key, UInt32($0)) })
      isLog = Set(logs.map(\.key))
      isDamaged = Set(files.filter { !$0.reading.isWhole }.map(\.key))
      let report = run.job.population == .logged ? logs : assignments
      abandoned = Set(report.indices.filter { !report[$0].reading.isWhole })
    }

    /// The number of a file among the assignments, or among the logs.
    ///
    /// - Parameter hasEvents: blocks of events are of it.
    /// - Throws: `OfferliftError` where it is none of the run's, or has events and is no log.
    func number(ofKey key: String, hasEvents: Bool) throws -> UInt32 {
      if let number = numbers[key], isLog.contains(key) || !hasEvents { return number }
      throw OfferliftError(.internalError, "A task wrote of \(key), and none has told what became of that file.")
    }

    /// The file was left out: its events do not count.
    func isDamaged(key: String) -> Bool { isDamaged.contains(key) }
  }
}
