import BluetoothLE

extension [WiFiNetwork] {
    /// What fits a person's choice.
    private static var most: Int { 32 }

    /// Each name once, with its best signal, the strongest first. Hidden networks have no name.
    func strongest() -> [WiFiNetwork] {
        var best: [WiFiNetwork] = []
        for network in self
        where (1...32).contains(network.name.count) && network.name.contains(where: { $0 != 0 }) {
            if let index = best.firstIndex(where: { $0.name == network.name }) {
                if best[index].signal < network.signal { best[index] = network }
            } else {
                best.append(network)
            }
        }
        best.sort { $0.signal > $1.signal }
        return Array(best.prefix(Self.most))
    }
}
