import Measurement
@testable import Engine
import Benchmark
import Domain
import Platform
import Signatures

/// From a gzip file to the events in it.
func reading() {
  Benchmark("reading 1: inflate the log (20,000 rows)") { benchmark in
    let file = try Sample.nightly.get().packed
    var room = [UInt8](repeating: 0, count: 1 << 20)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      let source = try file.open()
      var count = 0
      repeat {
        var span = room.mutableSpan
        count = try source.read(into: &span)
      } while count > 0
    }
  }
  Benchmark("reading 2: lines and members of JSON (20,000 rows)") { try cut($0, try Sample.nightly.get()) }
  Benchmark("reading 2: rows and columns of CSV (14,600 rows)") { try cut($0, try Sample.csv.get()) }
  Benchmark("reading 3: events of JSON rows (2,000)") { benchmark in
    let sample = try Sample.nightly.get()
    try sample.withFirstRows(of: EventField.allCases.map(\.name)) { batch in
      var decoder = EventDecoder(input: sample.job.purchases[0], types: sample.types, names: sample.names)
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        for row in 0..<2000 where batch.isSound(row) {
          var event = PurchaseEvent()
          try? decoder.decode(batch.fields(of: row), into: &event)
          blackHole(event)
        }
      }
      benchmark.stopMeasurement()
    }
  }
  Benchmark("reading 3: events of RevenueCat's webhooks (2,000)") { benchmark in
    let sample = try Sample.webhooks.get()
    try decode(2000, of: sample, as: RevenueCatWebhooks(try sample.log), benchmark)
  }
  Benchmark("reading 3: events of signed notifications (200)") { benchmark in
    let sample = try Sample.notifications.get()
    try decode(200, of: sample, as: AppStoreNotifications(try sample.log.withoutVerification), benchmark)
  }
  Benchmark("reading 4: signatures of notifications (500)") { benchmark in try verify(benchmark) }
}

/// Cuts the unpacked log into rows and fields.
private func cut(_ benchmark: Benchmark, _ sample: Sample) throws {
  let table = try sample.table(of: EventField.allCases.map(\.name))
  benchmark.startMeasurement()
  for _ in benchmark.scaledIterations { _ = try table.read { batch, _ in blackHole(batch.count) } }
}

/// Decodes the first rows of a log again and again.
private func decode(_ rows: Int, of sample: Sample, as format: some SourceFormat, _ benchmark: Benchmark) throws {
  var format = format
  var output = DecodedLine()
  try sample.withFirstRows(of: format.fields.map(\.name)) { batch in
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      format.beginBatch()
      for row in 0..<rows where batch.isSound(row) {
        output.removeAll()
        format.decode(batch.fields(of: row), into: &output)
        blackHole(output.events.count)
      }
    }
    benchmark.stopMeasurement()
  }
}

/// Checks the outer signatures of some notifications.
private func verify(_ benchmark: Benchmark) throws {
  let sample = try Sample.notifications.get()
  let log = try sample.log
  guard let verifier = log.verifier else { return benchmark.error("the sample's job verifies nothing") }
  var headers = KnownHeaders(verifier: verifier)
  let arena = TextArena()
  try sample.withFirstRows(of: ["signedPayload"]) { batch in
    let texts = try (0..<batch.count).filter { batch.isSound($0) }.map {
      try CompactSignature(batch.fields(of: $0)[0].bytes, named: "signedPayload", arena: arena)
    }
    let signers = try texts.compactMap { try headers.signer($0.header, of: "signedPayload", arena) }
    guard signers.count == texts.count, !texts.isEmpty else { return benchmark.error("no signer is trusted") }
    let check = { (count: Int) in
      for position in (0..<count).lazy.map({ $0 % texts.count }) {
        try verifier.check(texts[position], by: signers[position], signedDate: signedDate, of: "signedPayload")
      }
    }
    // A key gets its tables once it has been met often, which is before a log's first tenth of a second is over.
    try check(SigningKey.enoughForTables)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations { try check(500) }
    benchmark.stopMeasurement()
  }
}

/// Some time within the validity of the sample's certificates, in milliseconds.
private let signedDate: Int64 = 1_777_000_000_000
