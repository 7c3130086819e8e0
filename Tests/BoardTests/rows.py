"""What a phone that misbehaves must get from a correct accessory: its own exit status, row by row."""

PAIR = "match,bootstrap,pair"
SECURE = "match,bootstrap,pair,ndp,terminate"


class Row:
    """`want`: the phone's exit statuses that are right. `patient`: the accessory must recover without its owner."""

    def __init__(self, name, want, *words, check=None, patient=False):
        self.name, self.want, self.words, self.check, self.patient = name, want, words, check, patient


def answers_flood(events):
    """A flood is not answered one for one, and the one real request after it is."""
    return any(e["event"] == "bootstrap" and e["status"] == "accepted" for e in events)


ROWS = [
    Row("wrong PIN", {5}, "--do", PAIR, "--wrong-pin", patient=True),
    Row("wrong PIN, goes on regardless", {8}, "--do", PAIR, "--wrong-pin", "--force-auth3", "--nik-tries", "1"),
    Row("wrong MIC in Auth3", {8}, "--do", PAIR, "--bad-mic", "--nik-tries", "1"),
    Row("wrong MIC in M3", {10, 11}, "--do", SECURE, "--bad-mic", "m3"),
    Row("Auth3 replayed", {0}, "--do", SECURE, "--replay"),
    Row("no Auth3", {15}, "--do", PAIR, "--no-auth3", "--hold", "5", patient=True),
    Row("bootstrap request cut short", {4}, "--do", PAIR, "--truncate", "3", "--truncate-what", "bootstrap",
        "--bootstrap-timeout", "8"),
    Row("Auth1 cut short", {6}, "--do", PAIR, "--truncate", "9", "--truncate-what", "auth1", "--auth-timeout", "8"),
    Row("Auth3 cut short", {8}, "--do", PAIR, "--truncate", "9", "--truncate-what", "auth3", "--nik-tries", "1"),
    Row("NIK cut short", {8}, "--do", PAIR, "--truncate", "9", "--truncate-what", "nik", "--nik-tries", "1"),
    Row("M1 cut short", {11}, "--do", SECURE, "--truncate", "9", "--truncate-what", "m1", "--ndp-timeout", "8"),
    Row("M3 cut short", {10, 11}, "--do", SECURE, "--truncate", "9", "--truncate-what", "m3"),
    Row("every prefix of the bootstrap request", {0}, "--do", PAIR, "--sweep", "bootstrap", "--sweep-step", "25"),
    Row("every prefix of Auth1", {0}, "--do", PAIR, "--sweep", "auth1", "--sweep-step", "40"),
    Row("every prefix of Auth3", {0}, "--do", PAIR, "--sweep", "auth3", "--sweep-step", "20"),
    Row("every prefix of the NIK", {0}, "--do", PAIR, "--sweep", "nik", "--sweep-step", "30"),
    Row("every prefix of M1", {0}, "--do", SECURE, "--sweep", "m1", "--sweep-step", "40"),
    Row("every prefix of M3", {0}, "--do", SECURE, "--sweep", "m3", "--sweep-step", "40"),
    Row("a flood of bootstrap requests", {0}, "--do", PAIR, "--flood-bootstrap", "100", check=answers_flood),
    Row("an open data path, unpaired", {10, 11}, "--unpaired-ndp", "open", "--ndp-timeout", "8"),
    Row("a data path with a key of its own, unpaired", {10, 11}, "--unpaired-ndp", "sk", "--ndp-timeout", "8"),
    Row("verification before any discovery frame", {0}, "--do", "match,verify,ndp,terminate", "--hasty", "--passive"),
    Row("another service", {2}, "--do", "match", "--service", "_other._udp", "--match-timeout", "6"),
    Row("a bootstrap method that we do not have", {3}, "--do", PAIR, "--method", "0x40"),
]

SHORT = ("--do", SECURE)
ORDINARY = ("--do", "match,bootstrap,pair,ndp,vehicle,terminate")
AGAIN = ("--do", "match,verify,ndp,vehicle,terminate")
