import ModelMirror

class User: AbstractModel {
    var login = ""
}
class Gist: AbstractModel {
    var id = ""
}
