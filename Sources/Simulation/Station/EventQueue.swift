/// First in, first out.
struct EventQueue<Element> {
    private var elements: [Element] = []
    private var position = 0

    var isEmpty: Bool { position == elements.count }
    var count: Int { elements.count - position }

    var first: Element? { isEmpty ? nil : elements[position] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func next() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[position]
        position += 1
        if isEmpty { removeAll() }
        return element
    }

    /// Puts an element behind all that `comesBefore` it.
    mutating func insert(_ element: Element, comesBefore: (Element, Element) -> Bool) {
        var index = elements.count
        while index > position, !comesBefore(elements[index - 1], element) { index -= 1 }
        elements.insert(element, at: index)
    }

    mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        position = 0
    }
}
