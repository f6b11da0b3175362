import ModelMirror

class Gist: AbstractModel {
    var id = ""
}
