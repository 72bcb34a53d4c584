import Domain
import Engine
import Foundation
import Jobs

/// Which part of a server's catalog a file is: one of its four tables, or what the server answered.
enum CatalogTable: String, CaseIterable {
  case offerings, groups, products, copy, responses

  /// Known by its columns; without a header by the file's name, the longest first.
  init?(_ sample: FileSample) {
    guard let table = Self.known(sample) else { return nil }
    self = table
  }

  private static func known(_ sample: FileSample) -> CatalogTable? {
    let names = Set(sample.names)
    if sample.table == .mysql { return HeaderlessTable.catalog(sample) }
    if names.isSuperset(of: ["group_name", "subscription_offering_id"]) { return .groups }
    if names.isSuperset(of: ["offering_group_id", "product_id"]) { return .products }
    if names.contains("offering_group_id"), names.contains("header_title") { return .copy }
    if names.isSuperset(of: ["id", "offering_id"]), !names.contains("user_id") { return .offerings }
    let bodies = ["", "Body.", "body."]
    return bodies.contains { body in
      names.isSuperset(of: ["\(body)offeringId", "\(body)testGroupId"])
        && ["subscriptions", "products"].contains { names.contains(body + $0) }
    } ? .responses : nil
  }

  /// What such a file holds.
  var words: String {
    switch self {
    case .responses: "stored answers of getSubscriptionOffering"
    case .products: "the catalog's products"
    default: "the catalog's \(rawValue)"
    }
  }

  /// Its columns, in the server's order.
  var columns: [String] {
    switch self {
    case .offerings: ["id", "offering_id", "name", "is_active"]
    case .groups: ["id", "subscription_offering_id", "group_name", "weight"]
    case .products:
      [
        "id", "offering_group_id", "product_id", "type", "fallback_display_price", "position", "is_default",
        "badge_text", "subtitle_text",
      ]
    case .copy: ["id", "offering_group_id", "header_title", "header_subtitle", "cta_button_text", "supporting_text"]
    case .responses: []
    }
  }

  /// As the server calls the table, and so most people its file.
  var serverName: String {
    switch self {
    case .offerings: "subscription_offerings"
    case .groups: "subscription_offering_groups"
    case .products: "subscription_offering_group_products"
    case .copy: "subscription_offering_group_copy"
    case .responses: ""
    }
  }
}
