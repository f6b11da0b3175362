import Foundation

extension Date {
    /// `2024-03-18`, in UTC.
    var day: String { formatted(.iso8601.year().month().day()) }

    /// `2024-03-18 09:41`, in UTC.
    var dayAndTime: String {
        formatted(.iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false))
    }
}
