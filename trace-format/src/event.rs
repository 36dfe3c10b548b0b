//! Events.

use erlang_term::{DecodeError, Term, decode};
use flattener::flat::SiteId;

use flattener::flat::Callable;

/// Something that happened. Its place leads to the rest (parameters, bound variables, patterns).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The number of the module.
    pub module: usize,
    /// The function or fun that ran there.
    pub callable: Callable,
    /// Where; `None` for the events of the callable itself.
    pub site: Option<SiteId>,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A followed function is called.
    Call,
    /// A function returns.
    Exit,
    /// Values are bound.
    Bind,
    /// A clause is chosen, counted from 1.
    Case(usize),
    /// The chosen clause has a value.
    ExitCase(usize),
    /// Code that is not followed enters a followed function, with these arguments, or a followed
    /// function enters one that only the run knew.
    Enter(Option<Payload>),
    /// A built-in returned.
    Builtin,
    /// An opaque call returned a value.
    Result(Payload),
    /// A call raised: class and reason; `None` where the call always raises.
    Raised(Option<Payload>),
    /// A `try` or `catch` begins.
    Try,
    /// The protected part was left without an exception.
    Leave,
    /// An exception was caught.
    Caught,
    /// A `try`, `catch` or `receive` has a value.
    ExitTry,
    /// A message was received.
    Received(Payload),
}

/// A value of the run, in external term format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload(pub Box<[u8]>);

impl Payload {
    /// The value.
    ///
    /// # Errors
    /// When the bytes are not a term, or are one that cannot leave its BEAM, such as a pid.
    pub fn term(&self) -> Result<Term, DecodeError> {
        decode(&self.0)
    }
}
