/// Where a run's logs tell sales of: in the apps' stores, which keep a part of the price, or on a site of the app's own, where
/// nobody does.
package enum SalesLocations: Sendable {
  case stores, web, both

  /// - Parameter areOfWeb: of each log whether it tells sales on the web.
  package init(areOfWeb: some Collection<Bool>) {
    self = !areOfWeb.contains(true) ? .stores : areOfWeb.contains(false) ? .both : .web
  }

  /// The largest share that is assumed to be kept where nothing tells it.
  package var assumedCommission: Double { self == .web ? 0 : RunMeasurement.assumedCommission }
}
