/// What a bare number in a time column counts.
package enum TimeUnit: Sendable { case seconds, milliseconds }
