//! Primitive operations of Core Erlang.

use crate::model::Exception;

/// What a primitive operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primop {
    /// It raises this.
    Raise(Exception),
    /// It returns an empty binary that can grow.
    EmptyBinary,
    /// It marks a place for coverage, debuggers or native code. Nobody uses its value.
    Mark,
    /// It makes a stack trace, which only the run knows.
    StackTrace,
    /// It looks at the next message.
    PeekMessage,
    /// It takes the message that it looked at from the mailbox.
    TakeMessage,
    /// It goes on to the next message.
    NextMessage,
    /// It waits for the next message, or until the time is over.
    WaitForMessage,
}

const PRIMOPS: &[(&str, Primop)] = &[
    ("match_fail", Primop::Raise(Exception::MatchFailure)),
    ("raise", Primop::Raise(Exception::Again)),
    ("raw_raise", Primop::Raise(Exception::Given)),
    ("build_stacktrace", Primop::StackTrace),
    ("bs_init_writable", Primop::EmptyBinary),
    ("recv_peek_message", Primop::PeekMessage),
    ("remove_message", Primop::TakeMessage),
    ("recv_next", Primop::NextMessage),
    ("recv_wait_timeout", Primop::WaitForMessage),
    // Of OTP 27 and 28.
    ("debug_line", Primop::Mark),
    ("executable_line", Primop::Mark),
    ("nif_start", Primop::Mark),
];

/// The primitive operation with this name, if it is known.
pub fn primop(name: &str) -> Option<Primop> {
    let found = PRIMOPS.iter().find(|(known, _)| *known == name);
    found.map(|(_, primop)| *primop)
}
