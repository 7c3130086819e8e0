/// First in, first out.
///
/// Its functions are inlined because Embedded Swift leaves generic ones out of this module, which calls none of them.
public struct EventQueue<Element> {
    private var elements: [Element] = []
    private var position = 0

    @inline(__always)
    public init() {}

    @inline(__always)
    public var isEmpty: Bool { position == elements.count }
    @inline(__always)
    public var count: Int { elements.count - position }

    @inline(__always)
    public var first: Element? { isEmpty ? nil : elements[position] }

    @inline(__always)
    public mutating func append(_ element: Element) { elements.append(element) }

    @inline(__always)
    public mutating func append(contentsOf new: [Element]) { elements += new }

    @inline(__always)
    public mutating func next() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[position]
        position += 1
        if isEmpty { removeAll() }
        return element
    }

    /// Puts an element behind all that `comesBefore` it.
    @inline(__always)
    public mutating func insert(_ element: Element, comesBefore: (Element, Element) -> Bool) {
        var index = elements.count
        while index > position, !comesBefore(elements[index - 1], element) { index -= 1 }
        elements.insert(element, at: index)
    }

    @inline(__always)
    public mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        position = 0
    }
}
