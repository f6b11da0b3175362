import ModelMirror
import ModelMirrorExploring

extension TourStep {
    static let explore = TourStep(
        "explore", "A document tells its classes, and what changed",
        explanation: """
            ModelMirrorExploring examines documents, in code as here and on the command line: infer writes the classes of
            a document, drift compares two, query finds values, stats and report count what is in them.
            """
    ) {
        // tour: explore
        let recorded =
            #"[{"id": 1, "state": "open", "owner": {"login": "mona"}}, {"id": 2, "state": "open", "owner": null}]"#
        show(try ClassInference.source(documents: [Array(recorded.utf8)], name: "Ticket"))

        let today: JSONValue = [["id": "T-3", "state": "closed", "owner": ["login": "hubot"]]]
        for change in DocumentDrift(from: try JSONValue(json: recorded), to: today).changes { show(change) }
        show("logins: \(try JSONQuery("$..login").values(in: recorded))")
        // tour: end
    }
}
