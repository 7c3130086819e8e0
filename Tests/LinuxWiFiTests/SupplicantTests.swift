import BluetoothLE
import Crypto
import Ports
import Testing
import Wire

@testable import LinuxWiFi

/// Joining a network through wpa_supplicant, whose part the test plays.
struct SupplicantTests {
    static let start = Instant(microseconds: 1_000_000)
    static let name = Array("Home\t\"2\"".utf8)
    static let neighbours = """
        bssid / frequency / signal level / flags / ssid
        02:00:00:00:01:00\t2412\t-30\t[WPA2-PSK-CCMP][ESS]\tHome\\t\\"2\\"
        02:00:00:00:02:00\t2437\t-60\t[WPA2-SAE-CCMP][ESS]\tmodern
        02:00:00:00:02:01\t2437\t-50\t[WPA2-SAE-CCMP][ESS]\tmodern
        02:00:00:00:03:00\t2437\t-70\t[ESS]\topen
        02:00:00:00:04:00\t2437\t-10\t[ESS]\t\\x00\\x00
        02:00:00:00:04:00\tnonsense
        02:00:00:00:04:00\t2437\t-200\t[WEP][ESS]\told
        """
    static let known =
        "network id / ssid / bssid / flags\n0\telsewhere\tany\t[CURRENT]\n1\toff\tany\t[DISABLED]\n"
        + "2\tHome\\t\\\"2\\\"\tany\t[DISABLED]\n"

    /// Plays answers, and gives back the commands up to the end and how it ended.
    static func play(
        _ task: SupplicantTask, _ answers: [String], at now: Instant = start
    ) -> (commands: [String], outcome: WiFiProvisionerEvent?) {
        var task = task
        var commands: [String] = []
        var actions = task.start()
        for answer in answers + [""] {
            for action in actions {
                switch action {
                case .send(let command): commands.append(command)
                case .sendPassword(let before, let after): commands.append(before + "PASSWORD" + after)
                case .ended(let outcome): return (commands, outcome)
                }
            }
            actions = task.receive(Array(answer.utf8))
        }
        return (commands, nil)
    }

    @Test func `a network is joined, and those that were there stay`() {
        let (commands, outcome) = Self.play(
            .join(Self.name, .passphrase, at: Self.start),
            [
                "OK\n", Self.neighbours, Self.known, "0", "2147483647", "OK\n", "0", "7\n", "OK\n", "OK\n",
                "OK\n", "OK\n", "OK\n", "OK\n",
                "OK\n",
                "<3>CTRL-EVENT-CONNECTED - Connection to 02:00:00:00:09:00 completed [id=0 id_str=]",
                "<3>CTRL-EVENT-CONNECTED - Connection to 02:00:00:00:01:00 completed [id=7 id_str=]",
                "OK\n", "OK\n", "FAIL\n",
            ])
        #expect(
            commands == [
                "ATTACH", "SCAN_RESULTS", "LIST_NETWORKS", "GET_NETWORK 0 priority", "GET_NETWORK 1 priority",
                // Whoever tried it died.
                "REMOVE_NETWORK 1", "GET_NETWORK 2 priority", "ADD_NETWORK",
                "SET_NETWORK 7 ssid 486f6d6509223222",
                "SET_NETWORK 7 scan_ssid 1", "SET_NETWORK 7 key_mgmt WPA-PSK",
                "SET_NETWORK 7 psk \"PASSWORD\"", "SET_NETWORK 7 priority 2147483647", "ENABLE_NETWORK 7",
                "REASSOCIATE", "SET_NETWORK 7 priority 0", "REMOVE_NETWORK 2", "SAVE_CONFIG",
            ])
        #expect(outcome == .joined)
    }

    @Test func `a password that is wrong twice leaves nothing behind`() {
        let (commands, outcome) = Self.play(
            .join(Self.name, .passphrase, at: Self.start),
            [
                "OK\n", Self.neighbours, Self.known, "0", "2147483647", "OK\n", "0", "7\n", "OK\n", "OK\n",
                "OK\n", "OK\n", "OK\n", "OK\n",
                "OK\n",
                // A stranger's name is no reason.
                "<3>CTRL-EVENT-SSID-TEMP-DISABLED id=7 ssid=\"x reason=WRONG_KEY\" duration=10 reason=CONN_FAILED",
                "<3>CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid=\"x\" auth_failures=1 duration=10 reason=WRONG_KEY",
                "<3>CTRL-EVENT-SSID-TEMP-DISABLED id=7 ssid=\"x\" auth_failures=1 duration=10 reason=WRONG_KEY",
                "OK\n", "OK\n", "OK\n",
                "<3>CTRL-EVENT-SSID-TEMP-DISABLED id=7 ssid=\"x\" auth_failures=2 duration=20 reason=WRONG_KEY",
                "OK\n", "OK\n",
            ])
        #expect(
            commands.suffix(6) == [
                "REASSOCIATE", "DISABLE_NETWORK 7", "ENABLE_NETWORK 7", "REASSOCIATE", "REMOVE_NETWORK 7",
                "RECONNECT",
            ])
        #expect(outcome == .failed("the password is wrong"))
    }

    @Test func `each kind of network is asked for as it wants`() {
        func settings(_ name: String, _ credentials: Credentials) -> [String] {
            let fine = [String](repeating: "OK\n", count: 6)
            return Self.play(
                .join(Array(name.utf8), credentials, at: Self.start),
                ["OK\n", Self.neighbours, Self.known, "0", "2147483647", "OK\n", "0", "7\n"] + fine
            ).commands.dropFirst(10).map { String($0.dropFirst("SET_NETWORK 7 ".count)) }
        }
        #expect(settings("open", .none).first == "key_mgmt NONE")
        #expect(settings("open", .none)[1] == "priority 2147483647")
        #expect(
            settings("modern", .passphrase).prefix(3) == ["key_mgmt SAE", "ieee80211w 2", "psk \"PASSWORD\""])
        #expect(settings("hidden", .key).prefix(2) == ["key_mgmt WPA-PSK", "psk PASSWORD"])
    }

    @Test func `wpa_supplicant that refuses a setting is told of`() {
        for place in 8..<15 {
            var answers =
                ["OK\n", Self.neighbours, Self.known, "0", "2147483647", "OK\n", "0", "7\n"]
                + [String](repeating: "OK\n", count: 7)
            answers[place] = "FAIL\n"
            let (_, outcome) = Self.play(
                .join(Self.name, .passphrase, at: Self.start),
                Array(answers.prefix(place + 1)) + ["OK\n", "OK\n", "OK\n"])
            #expect(outcome == .refused)
        }
        #expect(Self.play(.join(Self.name, .none, at: Self.start), ["FAIL\n"]).outcome == .refused)
    }

    @Test func `what takes too long ends`() {
        var task = SupplicantTask.join(Self.name, .none, at: Self.start)
        _ = task.start()
        guard case .send("RECONNECT") = task.expire(at: task.deadline).first else {
            Issue.record("it does not go back to what was before")
            return
        }
        #expect(task.deadline > Self.start + SupplicantTask.patienceForJoin)
        guard case .ended(.failed) = task.expire(at: task.deadline).first else {
            Issue.record("it does not end")
            return
        }
        var scan = SupplicantTask.scan(at: Self.start)
        #expect(scan.expire(at: scan.deadline) == [.ended(.found([]))])
    }

    @Test func `networks are listed once, the strongest first`() {
        let (commands, outcome) = Self.play(
            .scan(at: Self.start), ["OK\n", "FAIL-BUSY\n", "<3>CTRL-EVENT-SCAN-RESULTS ", Self.neighbours])
        #expect(commands == ["ATTACH", "SCAN", "SCAN_RESULTS"])
        #expect(
            outcome
                == .found([
                    WiFiNetwork(name: Self.name, signal: -30, isProtected: true),
                    WiFiNetwork(name: Array("modern".utf8), signal: -50, isProtected: true),
                    WiFiNetwork(name: Array("open".utf8), signal: -70, isProtected: false),
                    WiFiNetwork(name: Array("old".utf8), signal: -128, isProtected: true),
                ]))
    }

    @Test func `names are read as they are written`() {
        func read(_ text: String) -> [UInt8] { SupplicantText.unescaped(Array(text.utf8)) }
        #expect(read(#"a\\\"\e\n\r\t\xc3\xbc"#) == Array("a\\\"\u{1b}\n\r\tü".utf8))
        #expect(read(#"\"#) == [0x5c])
        #expect(read(#"\x"#) == [])
        #expect(read(#"\xg1"#) == Array("g1".utf8))
    }

    @Test func `what comes cut short does no harm`() {
        for text in [
            Self.neighbours, Self.known, "<3>CTRL-EVENT-SSID-TEMP-DISABLED id=7 ssid reason=WRONG_KEY", "<",
            "<3>",
        ] {
            let octets = Array(text.utf8)
            for count in 0...octets.count {
                let part = Array(octets.prefix(count))
                _ = SupplicantText.found(in: part)
                _ = SupplicantText.known(in: part)
                _ = SupplicantText.event(part)
            }
        }
    }

    @Test func `passwords that no network takes are refused`() {
        func kind(_ password: String) -> Credentials? { Credentials(Key(Secret(Array(password.utf8)))) }
        #expect(kind("") == Credentials.none)
        #expect(kind("1234567") == nil)
        #expect(kind("12345678") == .passphrase)
        #expect(kind("line\nbreak") == nil)
        #expect(kind(String(repeating: "x", count: 63)) == .passphrase)
        #expect(kind(String(repeating: "x", count: 64)) == nil)
        #expect(kind(String(repeating: "f", count: 64)) == .key)
        #expect(kind(String(repeating: "f", count: 65)) == nil)
    }
}
