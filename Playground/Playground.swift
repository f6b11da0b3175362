import ModelMirrorExploring
import ModelMirrorNetworking

/// The guided tour of ModelMirror, and the explorer for the classes in `Models/`.
@main
struct Playground {
    @MainActor static func main() async {
        await Explorer.main(
            [
                Gist.self, User.self, GistFile.self, CodeRepository.self, QuestionList.self, Question.self,
                TweetSearch.self, Tweet.self,
            ],
            commands: [.tour, .twitter, .gists], standard: ["tour"], program: "swift run Playground",
            load: { url in try await APIClient().value(.get(.url(url))) })
    }
}
