/// What saving a record takes, in this order. Writing happens in pieces.
enum StoreStep: Equatable {
    case create
    case write
    case flush
    case rename
    case flushDirectory
}

/// What a test lets happen instead of a step.
enum StoreFault {
    /// The step fails with a negative error number.
    case error(Int32)
    /// The program ends before the step.
    case powerCut
}

/// Why a save did not come to its end.
enum StepFailure: Error {
    /// A negative error number.
    case system(StoreStep, Int32)
    case powerCut
}

extension StoreStep {
    /// Said of the record's file.
    var complaint: StaticString {
        switch self {
        case .create: "cannot be created"
        case .write: "cannot be written"
        case .flush, .flushDirectory: "cannot be flushed"
        case .rename: "cannot be renamed"
        }
    }
}
