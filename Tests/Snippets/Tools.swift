import ModelMirror

class User: AbstractModel {
    var login = ""
}
