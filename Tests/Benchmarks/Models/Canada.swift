import ModelMirror

/// `canada.json`: the outline of a country, nearly all of it floating-point numbers.
final class Outline: AbstractModel {
    var type = ""
    var features: [Feature] = []
}

final class Feature: AbstractModel {
    var type = ""
    var properties: [String: String] = [:]
    var geometry: Geometry?
}

final class Geometry: AbstractModel {
    var type = ""
    var coordinates: [[[Double]]] = []
}

final class CodableOutline: Codable {
    var type = ""
    var features: [CodableFeature] = []
}

final class CodableFeature: Codable {
    var type = ""
    var properties: [String: String] = [:]
    var geometry: CodableGeometry?
}

final class CodableGeometry: Codable {
    var type = ""
    var coordinates: [[[Double]]] = []
}
