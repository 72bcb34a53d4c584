import Testing

@testable import Engine

@Suite("Looking for ids in the event store")
struct StoreSearchTests {
  private static let uuid = "6b3ddd0b-4715-ae2d-f0a6-0956f4f372b4"

  @Test("A UUID is found, which stands in an entry as its bytes, and so is any other id; who is not there is not")
  func ids() throws {
    for id in [Self.uuid, Self.uuid.uppercased(), "user 7"] {
      let fixture = try StoreFixture([
        #"{"userId":"\#(id)","eventType":"paywall_view","occurredAt":"2026-03-02T10:00:00Z"}"#
      ])
      _ = try fixture.read(fixture.store())
      let search = StoreSearch(state: fixture.folder.url.appending(path: "state"))
      #expect(try search.entries(holding: [Array(id.utf8)], of: []) == [fixture.entry().lastPathComponent], "\(id)")
      let others = ["6b3ddd0b-4715-ae2d-f0a6-0956f4f372b5", "user 8"].map { Array($0.utf8) }
      #expect(try search.entries(holding: others, of: []).isEmpty, "\(id)")
    }
  }

  @Test("Of a rejected row, which is kept as it was written, any letter case and percent-encoding is found")
  func looseSpellings() throws {
    for id in ["Ann@example.com", "ann%40EXAMPLE.com"] {
      let fixture = try StoreFixture([
        #"{"userId":"u1","eventType":"paywall_view","occurredAt":"2026-03-02T10:00:00Z"}"#,
        #"{"userId":"\#(id)","eventType":"purchase""#,
      ])
      _ = try fixture.read(fixture.store())
      let search = StoreSearch(state: fixture.folder.url.appending(path: "state"))
      let words = [Array("ann@example.com".utf8)]
      #expect(try search.entries(holding: [], loosely: words, of: []).count == 1, "\(id)")
      #expect(try search.entries(holding: [], loosely: [Array("bob@example.com".utf8)], of: []).isEmpty, "\(id)")
    }
  }
}
