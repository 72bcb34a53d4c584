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
}
