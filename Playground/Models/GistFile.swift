import ModelMirror

/// One file of a gist.
final class GistFile: AbstractModel {
    var filename = ""
    var language: String?
    var size = 0
}
