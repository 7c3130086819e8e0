import CShim

/// The system's words for an error number, whichever its sign.
func reason(_ error: Int32) -> String {
    guard let text = shim_reason(error) else { return "error \(error)" }
    return String(cString: text)
}

func reason(_ error: Int) -> String { reason(Int32(clamping: error)) }
