import Foundation
import LinuxBoard
import Ports
import Testing
import Wire

struct ExecPanelTests {
    /// A script that a panel runs, and where it writes.
    struct Bench {
        let directory: URL
        let panel: ExecPanel
        var now = Instant(microseconds: 1_000_000)

        init(_ script: String) throws {
            directory = FileManager.default.temporaryDirectory.appending(path: "exec-\(UUID())")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let program = directory.appending(path: "program")
            try Data("#!/bin/sh\ncd \(directory.path)\n\(script)\n".utf8).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            panel = ExecPanel(program.path)
        }

        mutating func show(_ state: PanelState) {
            panel.show(PanelContent(state, name: "My Drone", connected: 0), at: now)
            panel.turn(at: now)
        }

        func file(_ name: String) -> String {
            (try? String(contentsOf: directory.appending(path: name), encoding: .utf8)) ?? ""
        }

        /// Waits for what a program does in its own time.
        func soon(_ holds: () -> Bool) -> Bool {
            for _ in 0..<3000 {
                if holds() { return true }
                usleep(10_000)
            }
            return holds()
        }
    }

    @Test func `each state is a line, and the program ends with its input`() throws {
        var bench = try Bench(
            "tr '\\0' '\\n' <\"/proc/$$/environ\" >env; cat /proc/$$/status >status; ls /proc/$$/fd >open; echo \"$@\" >args; cat >out; echo end >>out"
        )
        bench.show(.idle)
        bench.show(.pin([4, 8, 2, 9, 1, 3]))
        bench.show(.pin([4, 8, 2, 9, 1, 3]))
        bench.show(.paired("Ada\u{1b}[2J"))
        let lines = "idle\nPIN 482913\npaired Ada\u{fffd}[2J\n"
        #expect(bench.soon { bench.file("out") == lines }, "\(bench.file("out"))")
        #expect(bench.panel.fault == nil && bench.panel.deadline == nil)
        bench.panel.stop(at: bench.now)
        #expect(bench.soon { bench.file("out") == lines + "end\n" })
        #expect(bench.file("args") == "\n")
        #expect(!bench.file("env").contains("HOME="), "it gets PATH and nothing of ours")
        let status = bench.file("status")
        #expect(status.contains("NoNewPrivs:\t1\n"))
        for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
            #expect(status.contains("\(set):\t0000000000000000\n"), "\(set)")
        }
        // A shell has its own from 10 on.
        #expect(bench.file("open").split(separator: "\n").filter { Int($0) ?? 0 < 10 } == ["0", "1", "2"])
    }

    @Test func `a program that ends is a fault, and started again with the state that holds`() throws {
        var bench = try Bench("read -r line; echo \"$line\" >>out; exit 3")
        bench.show(.idle)
        #expect(
            bench.soon {
                bench.panel.turn(at: bench.now)
                return bench.panel.fault != nil
            })
        #expect(
            bench.panel.fault == "it ended with status 3"
                || bench.panel.fault == "it does not read its input any more")
        bench.show(.identify)
        #expect(bench.panel.deadline == bench.now + .seconds(5))
        bench.now = bench.now + .seconds(5)
        bench.panel.turn(at: bench.now)
        #expect(bench.soon { bench.file("out") == "idle\nidentify\n" })
    }

    @Test func `a program that has to be killed leaves no process behind`() throws {
        var bench = try Bench("echo $$ >process; exec <&-; exec sleep 60")
        bench.show(.idle)
        #expect(
            bench.soon {
                bench.panel.turn(at: bench.now)
                return bench.panel.fault != nil
            })
        #expect(bench.panel.fault == "it does not read its input any more")
        let process = bench.file("process").filter { $0 != "\n" }
        #expect(
            bench.soon {
                let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
                return status?.contains("State:\tZ") ?? true
            })
        bench.now = bench.now + .seconds(5)
        bench.panel.turn(at: bench.now)
        #expect(!process.isEmpty && !FileManager.default.fileExists(atPath: "/proc/\(process)"))
    }

    @Test func `a program that is not there is a fault`() throws {
        let panel = ExecPanel("/nowhere/program")
        panel.turn(at: Instant(microseconds: 1))
        #expect(panel.fault == "start /nowhere/program: No such file or directory")
        #expect(panel.deadline != nil)
    }

    @Test func `a program that never reads blocks nobody`() throws {
        var bench = try Bench("exec sleep 60")
        let start = Date()
        for number in 0..<20_000 {
            bench.show(.paired("phone \(number)"))
            if bench.panel.fault != nil { break }
        }
        #expect(bench.panel.fault == "it does not read its input")
        #expect(Date().timeIntervalSince(start) < 30, "it is not waited for")
        var set = DescriptorSet()
        bench.panel.addDescriptors(to: &set)
        #expect(set.interests.first?.writable == true && set.interests.first?.readable == false)
    }
}
