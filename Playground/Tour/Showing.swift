/// Prints a value of a step.
func show(_ value: Any) { print("\(value)".indented(by: 3)) }

/// Prints gists, one a line.
func show(_ gists: [Gist]) { show(Listing.gists(gists)) }

/// Prints questions, one a line.
func show(_ questions: [Question]) { show(Listing.questions(questions)) }

/// Prints an error, without the port of the server, which differs from run to run.
func show(_ error: any Error) {
    show("\(error)".replacing(#/127\.0\.0\.1:\d+/#, with: "127.0.0.1:…"))
}
