extension Listing {
    /// Questions, one a line.
    static func questions(_ questions: [Question]) -> String {
        Listing(
            .left, .left, .left, .left,
            rows: [["created", "owner", "isAnswered", "title"]]
                + questions.map { question in
                    [
                        question.creationDate?.day ?? "nil", question.owner?.displayName ?? "nil",
                        "\(question.isAnswered)", question.title,
                    ]
                }
        ).description
    }
}
