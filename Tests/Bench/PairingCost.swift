/// A whole pairing by PIN in virtual time, from the first frame to the stored keys.
func measurePairing() throws -> ResultTable {
    let runs = 20
    var accessory = 0.0
    var phone = 0.0
    for seed in 1...UInt64(runs) {
        let stage = try Stage(seed: seed)
        try stage.startPhone()
        try stage.pair()
        accessory += stage.accessoryTime.seconds
        phone += stage.phoneTime.seconds
    }
    var table = ResultTable("a whole pairing", columns: ["CPU time"])
    table.row("accessory (responder)", figure(accessory / Double(runs) * 1e3, "ms"))
    table.row("phone (initiator)", figure(phone / Double(runs) * 1e3, "ms"))
    return table
}
