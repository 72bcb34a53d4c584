import Domain
import Foundation
import Measurement

/// The SQL of a plan: literals only, statement by statement. Every statement writes one folder below `work`, and the last
/// one gathers there what the run is finished from.
struct PlanScript {
  private let manifest: SparkManifest
  private let hasIdentities: Bool
  /// The last statement prints what it gathers.
  private let isPrinted: Bool
  /// By input the suffixes of names that stand for packed files and occur; nil: any may.
  private let suffixes: [Set<String>?]

  init(_ manifest: SparkManifest, hasIdentities: Bool, isPrinted: Bool = false) {
    self.manifest = manifest
    self.isPrinted = isPrinted
    self.hasIdentities = hasIdentities
    suffixes = manifest.inputs.map { $0.files.map { Set($0.compactMap { Self.suffix(of: $0.path) }) } }
  }

  /// Names that end so are unpacked by Spark unless a relation says otherwise.
  private static let packedSuffixes = [".gz", ".gzip", ".bz2", ".zst", ".zstd", ".lz4", ".snappy", ".deflate"]

  private static func suffix(of name: String) -> String? {
    packedSuffixes.first { name.lowercased().hasSuffix($0) }
  }

  var text: String { header + statements.map { $0.sql + ";\n" }.joined(separator: "\n") }

  /// What the statements of a plan's script do, in their order, for whoever shows how far it has come.
  static func stages(of manifest: SparkManifest, hasIdentities: Bool) -> [String] {
    PlanScript(manifest, hasIdentities: hasIdentities).statements.map(\.stage)
  }

  private var statements: [(stage: String, sql: String)] {
    let begin = settings.map { "SET \($0.key)=\($0.value)" } + [settingsRetained] + slots
    var statements = begin.map { (stage: "spark: starting", sql: $0) }
    statements += listStage.map { ("spark: listing", $0) }
    statements.append(("spark: reading", readStage))
    statements.append(("spark: identities", resolveStage))
    statements += [("spark: counting", countStage), ("spark: ids", identifyStage), ("spark: gathering", result)]
    return statements
  }

  private var header: String {
    """
    -- Made by offerlift \(manifest.version) plan for \(manifest.jobFile); edit the job, not this.
    -- Run it with the command in submit.sh: the program and the files beside it are shipped to every task.


    """
  }

  /// What the script sets for its session. Nothing that is counted depends on these: tasks check what they are handed.
  private var settings: [(key: String, value: String)] {
    [
      ("spark.sql.variable.substitute", "true"),
      ("spark.sql.ansi.enabled", "true"),
      ("spark.sql.session.timeZone", "UTC"),
      ("spark.sql.files.ignoreCorruptFiles", "false"),
      ("spark.sql.files.ignoreMissingFiles", "false"),
      ("spark.sql.files.maxPartitionBytes", "17592186044416"),
      ("spark.sql.files.openCostInBytes", "17592186044416"),
      ("spark.sql.chunkBase64String.enabled", "false"),
      ("spark.sql.adaptive.enabled", "false"),
      ("spark.sql.shuffle.partitions", "\(manifest.tasks)"),
      ("spark.sql.files.archive.reader.enabled", "false"),
      // Rows of blocks are large: Spark is to hold few of them at once.
      ("spark.sql.parquet.compression.codec", "zstd"),
      ("spark.sql.parquet.columnarReaderBatchSize", "64"),
      ("parquet.block.size", "33554432"),
      ("mapreduce.fileoutputcommitter.algorithm.version", "1"),
    ]
  }

  /// Ends the script where the session that runs has other settings: where another program runs it, or sets its own.
  private var settingsRetained: String {
    let lost = settings.map { "if('${\($0.key)}' = '\($0.value)', NULL, '\($0.key)')" }
    return """
      SELECT assert_true(size(lost) = 0, concat('This session has not kept the plan''s ', array_join(lost, ', '),
        '; run plan.sql as it was written, where SET is allowed')) FROM (SELECT array_compact(array(
        \(lost.joined(separator: ",\n  "))
      )) AS lost)
      """
  }

  // MARK: - Stages

  /// Spark sends a row to the task that its key's hash says; this makes a key for each task, so that each takes its own
  /// partitions and none those of two.
  private var slots: [String] {
    [
      "DECLARE OR REPLACE VARIABLE slots ARRAY<INT>",
      """
      SET VAR slots = (SELECT transform(array_sort(collect_list(struct(h, k))), x -> x.k) FROM (
        SELECT pmod(hash(cast(id AS INT)), \(manifest.tasks)) AS h, cast(min(id) AS INT) AS k
        FROM range(0, \(manifest.tasks * 40)) GROUP BY 1))
      """,
      "SELECT assert_true(size(slots) = \(manifest.tasks))",
    ]
  }

  /// Where the blocks of users lie: those that were given to users whom their rows do not name, and, where no ids stand
  /// for others, those that stayed as they were read.
  private var users: [String] { hasIdentities ? ["users"] : ["read", "users"] }

  /// Lists the files that do not lie on the disks of the machine that plans.
  private var listStage: [String] {
    let remote = manifest.inputs.enumerated().filter { $1.files == nil }
    guard !remote.isEmpty else { return [] }
    let lists = remote.map { number, input in
      "SELECT 'listed' AS kind, '\(number)' AS partition, base64(cast(path AS BINARY)) AS file, "
        + "base64(cast(cast(length AS STRING) AS BINARY)) AS data FROM binaryFile.`\(Self.quoted(input.path))`"
    }
    return [write("files", lists.joined(separator: "\nUNION ALL\n"))]
  }

  private var readStage: String {
    let inputs = manifest.inputs.indices.flatMap { relations(of: $0) }
    let columns =
      "input, file, cast(size AS STRING), cast(start AS STRING), cast(length AS STRING), separator, base64(bytes), '.'"
    let rows = inputs.isEmpty ? [emptyRelation] : inputs
    return write("read", transform(columns, .read, "\(rows.joined(separator: "\nUNION ALL\n"))"))
  }

  private var emptyRelation: String {
    "SELECT '' AS input, '' AS file, 0 AS size, 0 AS start, 0 AS length, '' AS separator, cast('' AS BINARY) AS bytes WHERE false"
  }

  private var resolveStage: String {
    let kinds = (hasIdentities ? TaskRow.users : []) + TaskRow.transactions
    let blocks = blocks(of: kinds, in: ["read"])
    return write(
      "users", transform(rowColumns, .resolve, byTask(blocks, heads(of: ["file", "transfers"], in: ["read"]))))
  }

  private var countStage: String {
    let blocks = blocks(of: TaskRow.users, in: users)
    let listed = listStage.isEmpty ? [] : ["files"]
    let heads = heads(of: ["file", "names", "listed"], in: ["read"] + listed)
    return write("sums", transform(rowColumns, .count, byTask(blocks, heads)))
  }

  private var identifyStage: String {
    let blocks = blocks(of: [.assignments], in: users)
    return write("ids", transform(rowColumns, .identify, byTask(blocks, heads(of: ["unassigned"], in: ["sums"]))))
  }

  /// All that is not a block of users, in rows as tasks write them.
  private var result: String {
    let folders = (listStage.isEmpty ? [] : ["files"]) + ["read", "users", "sums", "ids"]
    let rows = folders.map { folder in
      "SELECT concat_ws('\\t', kind, partition, file, data, '.') AS row FROM \(table(folder)) "
        + "WHERE kind NOT IN (\(Self.list((TaskRow.users + TaskRow.transactions).map(\.rawValue))))"
    }
    let gathered = rows.joined(separator: "\nUNION ALL\n")
    if isPrinted { return gathered }
    return """
      INSERT OVERWRITE DIRECTORY '\(Self.literal(manifest.work))/\(PlanFolder.result)' USING text
      OPTIONS ('compression'='gzip')
      \(gathered)
      """
  }

  // MARK: - Parts

  private var rowColumns: String { "kind, partition, file, data, '.'" }

  private func write(_ folder: String, _ query: String) -> String {
    "INSERT OVERWRITE DIRECTORY '\(Self.literal(manifest.work))/\(folder)' USING parquet\n\(query)"
  }

  private func table(_ folder: String) -> String { "parquet.`\(Self.quoted(manifest.work))/\(folder)`" }

  private func transform(_ columns: String, _ stage: SparkStage, _ rows: String) -> String {
    let format = "ROW FORMAT DELIMITED FIELDS TERMINATED BY '\\t'"
    let result = TaskRow.columns.map { "\($0) STRING" }.joined(separator: ", ")
    return """
      SELECT kind, partition, file, data FROM (
      SELECT TRANSFORM (\(columns)) \(format)
      USING '\(Self.command(stage))' AS (\(result)) \(format)
      FROM (
      \(rows)
      ))
      """
  }

  /// Shared objects lie beside the program, which looks for them there. Whatever ends the program, the shell reads the
  /// rest of its rows: else Spark would tell of a broken pipe in place of the reason.
  private static func command(_ stage: SparkStage) -> String {
    "./\(PlanFolder.program) spark-task \(stage.rawValue) || { s=$?; cat >/dev/null; exit $s; }"
  }

  /// Blocks of partitions, each for the task that takes its partition.
  private func blocks(of kinds: [TaskRow.Kind], in folders: [String]) -> String {
    folders.map { folder in
      """
      SELECT pmod(cast(partition AS INT), \(manifest.tasks)) AS task, kind, partition, file, data
      FROM \(table(folder)) WHERE kind IN (\(Self.list(kinds.map(\.rawValue))))
      """
    }
    .joined(separator: "\nUNION ALL\n")
  }

  /// What every task is to know.
  private func heads(of kinds: [String], in folders: [String]) -> String {
    let rows = folders.map { folder in
      "SELECT kind, partition, file, data FROM \(table(folder)) WHERE kind IN (\(Self.list(kinds)))"
    }
    return """
      SELECT task, kind, partition, file, data
      FROM (\(rows.joined(separator: " UNION ALL ")))
      LATERAL VIEW explode(sequence(0, \(manifest.tasks - 1))) tasks AS task
      """
  }

  private func byTask(_ blocks: String, _ heads: String) -> String {
    "SELECT * FROM (\n\(blocks)\nUNION ALL\n\(heads)\n) DISTRIBUTE BY slots[task]"
  }

  // MARK: - Files

  /// The relations that an input's files are read by: one for each suffix that Spark would unpack by.
  private func relations(of number: Int) -> [String] {
    let input = manifest.inputs[number]
    if input.files?.isEmpty == true { return [] }
    guard let ending = Self.ending(of: input.path) else {
      let occurring = suffixes[number] ?? Set(Self.packedSuffixes)
      let packed = Self.packedSuffixes.filter(occurring.contains)
      let others = packed.map { "lower(_metadata.file_name) NOT LIKE '%\($0)'" }.joined(separator: " AND ")
      return packed.map { relation(number, suffix: $0, where: "lower(_metadata.file_name) LIKE '%\($0)'") }
        + [relation(number, suffix: ".offerlift", where: others.isEmpty ? "true" : others)]
    }
    return [relation(number, suffix: ending, where: "true")]
  }

  /// What all names end with that a pattern finds, from a point on; nil where that is not sure.
  private static func ending(of path: String) -> String? {
    let last = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
    let tail = last.split(omittingEmptySubsequences: false) { "*?]}".contains($0) }.last.map(String.init) ?? last
    guard let point = tail.lastIndex(of: ".") else { return nil }
    let ending = String(tail[point...])
    return ending.count > 1 ? ending : nil
  }

  private func relation(_ number: Int, suffix: String, where condition: String) -> String {
    // Spark's own build of Hadoop has its packages, and with them this setting, under another name.
    let key = "io.compress.passthrough.extension"
    // In packed bytes two that are given come every 64 KB, one every 256 bytes, and Spark's cost is that of rows. Should
    // a file so called not be packed, lines of JSON begin so.
    let separator = [".gz", ".gzip"].contains(suffix) ? "\n{" : "\n"
    return """
      SELECT '\(number)' AS input, _metadata.file_path AS file, _metadata.file_size AS size,
        _metadata.file_block_start AS start, _metadata.file_block_length AS length,
        '\(Data(separator.utf8).base64EncodedString())' AS separator, cast(value AS BINARY) AS bytes
      FROM text.`\(Self.quoted(manifest.inputs[number].path))` WITH (
        'lineSep'='\(separator.replacingOccurrences(of: "\n", with: "\\n"))', 'io.compression.codecs'='org.apache.hadoop.io.compress.PassthroughCodec',
        '\(key)'='\(Self.literal(suffix))', 'org.apache.hadoop.shaded.\(key)'='\(Self.literal(suffix))')
      WHERE \(condition)
      """
  }

  private static func list(_ words: [String]) -> String { words.map { "'\($0)'" }.joined(separator: ", ") }

  /// Between backticks.
  private static func quoted(_ text: String) -> String { text.replacingOccurrences(of: "`", with: "``") }

  /// Between quotes.
  private static func literal(_ text: String) -> String {
    text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'")
  }
}
