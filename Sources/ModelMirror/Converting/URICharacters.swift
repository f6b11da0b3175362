/// Which characters may stand where in a URI without being percent-encoded: RFC 3986, appendix A.
enum URICharacters {
    static let letters = ASCIISet(lettersText)
    static let scheme = ASCIISet(lettersText + digitsText + "+-.")
    static let userInformation = ASCIISet(unreservedText + subDelimitersText + ":")
    /// A registered name or IPv4 address; IPv6 addresses are ``IPv6Syntax``'s.
    static let host = ASCIISet(unreservedText + subDelimitersText)
    static let path = ASCIISet(unreservedText + subDelimitersText + ":@/")
    /// The query and the fragment.
    static let query = ASCIISet(unreservedText + subDelimitersText + ":@/?")
    /// What ends an authority.
    static let authorityEnds = ASCIISet("/?#")

    private static let lettersText = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let digitsText = "0123456789"
    private static let unreservedText = lettersText + digitsText + "-._~"
    private static let subDelimitersText = "!$&'()*+,;="
}
