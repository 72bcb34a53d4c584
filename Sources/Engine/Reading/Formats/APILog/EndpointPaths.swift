import Domain

/// Which endpoints the paths of a log stand for.
struct EndpointPaths {
  private let numbers: ByteTable
  private var endpoints: [APIEndpoint] = []
  /// The job's paths in which a part stands for any: by their parts, in order of the paths.
  private var patterns: [(parts: [[UInt8]], endpoint: APIEndpoint)] = []

  /// - Parameter mapped: names of endpoints by the job's paths.
  init(_ mapped: [String: String]) {
    numbers = ByteTable(expected: APIEndpoint.allCases.count + mapped.count)
    for (path, name) in mapped.sorted(by: { $0.key < $1.key }) {
      guard let endpoint = APIEndpoint(rawValue: name) else { continue }
      if APIEndpoint.isPattern(path) { patterns.append((Self.parts(path.utf8), endpoint)) } else { add(path, endpoint) }
    }
    // Of a path that the job maps, the job's word counts.
    for endpoint in APIEndpoint.allCases { add(endpoint.rawValue, endpoint) }
  }

  private mutating func add(_ path: String, _ endpoint: APIEndpoint) {
    let number = Identifier(path).utf8.withText { numbers.insert($0, hash: ByteHash.hash64($0)) }
    if number == endpoints.count { endpoints.append(endpoint) }
  }

  /// The endpoint of a path; nil of one that nothing is known of. What stands behind a `?` is no part of it.
  func endpoint(of path: Text) -> APIEndpoint? {
    let path = Self.plain(path)
    if let number = numbers.find(path, hash: ByteHash.hash64(path)) { return endpoints[number] }
    guard !patterns.isEmpty else { return nil }
    let parts = Self.parts(path)
    return patterns.first { Self.fits(parts, $0.parts) }?.endpoint
  }

  /// What a path is called that is not measured: as `endpoints:` may name it.
  static func name(of path: Text) -> String { UserIDShape.path(String(decoding: plain(path), as: UTF8.self)) }

  private static func plain(_ path: Text) -> Text { Text(path.prefix { $0 != UInt8(ascii: "?") }) }

  private static func parts(_ path: some Collection<UInt8>) -> [[UInt8]] {
    path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Array($0) }
  }

  private static func fits(_ parts: [[UInt8]], _ pattern: [[UInt8]]) -> Bool {
    parts.count == pattern.count
      && zip(parts, pattern).allSatisfy { part, wanted in
        part == wanted || wanted == [UInt8(ascii: "*")] && !part.isEmpty
      }
  }
}
