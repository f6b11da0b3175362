import ModelMirror

class Issue: AbstractModel {
    var id = 0
}
