import CShim
import SystemBus
import Wire

/// What a controller, or its lack, means to an accessory.
public struct BluetoothFinding: Equatable, Sendable {
    /// As in `hci0`; `Bluetooth` where there is none.
    public var name: String
    /// Why it cannot be used now, in words for the operator. Nil where it can.
    public var obstacle: String?
    /// What else there is to know.
    public var remark: String
}

extension BluetoothFinding {
    /// - Parameter lack: what it has not in itself.
    init(_ name: String, lack: String?, in surroundings: Adapter.Surroundings) {
        self.name = name
        obstacle = lack ?? surroundings.block
        switch (surroundings.hasDaemon, surroundings.mayAdminister) {
        case (true, true):
            remark = "over bluetoothd, which runs; use = exclusive in [bluetooth] takes it over"
        case (true, false):
            remark =
                "over bluetoothd, which runs and lets in root and the group bluetooth; "
                + "for use = exclusive in [bluetooth] this program lacks CAP_NET_ADMIN"
        case (false, true): remark = ""
        case (false, false):
            remark = ""
            if obstacle == nil {
                obstacle =
                    "this program may not use it (it lacks CAP_NET_ADMIN: run it as root or as a service)"
            }
        }
    }
}

/// Looks at the kernel's Bluetooth controllers, for those who ask.
public enum BluetoothSurvey {
    /// The kernel answers at once. No controller is waited for that is still being set up.
    private static let patience: Int64 = 1_000_000

    public static func findings() -> [BluetoothFinding] {
        do throws(BluetoothObstacle) {
            let socket = try ManagementSocket()
            guard case .answer(_, .success, let list)? = answer(to: .readIndexList(), on: socket) else {
                throw BluetoothObstacle("the kernel lists no Bluetooth controllers")
            }
            let hasDaemon = daemonRuns(SharedBluetooth.daemon)
            let mayAdminister = shim_may_administer_networks() == 1
            var findings: [BluetoothFinding] = []
            for index in try indexes(list) {
                let surroundings = Adapter.Surroundings(
                    hasDaemon: hasDaemon, block: Board.block(of: index), mayAdminister: mayAdminister)
                findings.append(
                    BluetoothFinding("hci\(index)", lack: lack(index, socket), in: surroundings))
            }
            if findings.isEmpty { throw BluetoothObstacle("there is no Bluetooth controller") }
            return findings
        } catch {
            return [BluetoothFinding(name: "Bluetooth", obstacle: error.explanation, remark: "")]
        }
    }

    private static func indexes(_ list: [UInt8]) throws(BluetoothObstacle) -> [UInt16] {
        do throws(WireError) { return try ManagementAnswers.indexList(list) } catch {
            throw BluetoothObstacle("the kernel's Bluetooth answers strangely: \(error)")
        }
    }

    /// What it has not in itself.
    private static func lack(_ index: UInt16, _ socket: ManagementSocket) -> String? {
        guard case .answer(_, .success, let octets)? = answer(to: .readInformation(index), on: socket) else {
            return "it does not say what it can do"
        }
        do throws(WireError) {
            let information = try ControllerInformation(parsing: octets)
            guard information.supported.contains(.lowEnergy) else { return "it has no Bluetooth LE" }
        } catch {
            return "it says strangely what it can do: \(error)"
        }
        return nil
    }

    private static func answer(
        to command: ManagementCommand, on socket: ManagementSocket
    ) -> ManagementMessage.Event? {
        guard socket.send(command) else { return nil }
        while true {
            switch socket.receive() {
            case .message(let message):
                if case .answer(command.opcode, _, _) = message.event { return message.event }
            case .malformed: continue
            case .nothing:
                var interest = shim_interest(
                    descriptor: socket.descriptor, wanted: Int16(shim_readable), ready: 0)
                guard shim_wait(&interest, 1, patience) > 0 else { return nil }
            case .failed: return nil
            }
        }
    }
}
