/// Stored bodies of `POST /v1/getSubscriptionOffering`, one for each group of the test: a catalog by itself.
struct OfferingResponses {
  let scenario: Scenario

  static let file = "subscription_offering_responses.jsonl.gz"

  var lines: [UInt8] {
    OfferingServer(scenario: scenario).answersOfGroups.reduce(into: []) { bytes, answer in
      bytes.write(answer)
      bytes.write("\n")
    }
  }
}
