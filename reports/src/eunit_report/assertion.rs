//! What a test asserts: the value of a call, or its exception.

use super::value_pattern::pattern;
use crate::abbreviated_value::{LONG, abbreviated};
use crate::outcome::Outcome;
use crate::printed_value::read_shape;

/// The widest line that holds a whole assertion.
const WIDTH: usize = 90;

/// An assertion: a macro of EUnit, what is expected, and the call.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Assertion {
    name: &'static str,
    expected: String,
    call: String,
}

impl Assertion {
    /// Asserts how a call ends; `None` if it ends with neither a value nor an exception, or if that
    /// cannot be written.
    pub(super) fn new(outcome: &Outcome, call: &str) -> Option<Self> {
        let call = call.to_owned();
        match outcome {
            Outcome::Ok(text) => Self::value(text, call),
            Outcome::Exception { class, reason, .. } => {
                let name = match class.as_str() {
                    "error" => "assertError",
                    "exit" => "assertExit",
                    "throw" => "assertThrow",
                    _ => return None,
                };
                let expected = pattern(&abbreviated(read_shape(reason)?));
                Some(Self {
                    name,
                    expected,
                    call,
                })
            }
            Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Blocked(_)
            | Outcome::Deadlock { .. }
            | Outcome::Steps => None,
        }
    }

    /// Asserts that a postcondition does not hold.
    pub(super) fn broken(check: String) -> Self {
        Self {
            name: "assertEqual",
            expected: "false".to_owned(),
            call: check,
        }
    }

    /// Asserts that what a call returns matches a pattern.
    pub(super) fn matches(expected: String, call: String) -> Self {
        let name = "assertMatch";
        Self {
            name,
            expected,
            call,
        }
    }

    fn value(text: &str, call: String) -> Option<Self> {
        let shape = read_shape(text)?;
        if shape.is_exact() && text.chars().count() <= LONG {
            let (name, expected) = ("assertEqual", shape.to_string());
            return Some(Self {
                name,
                expected,
                call,
            });
        }
        Some(Self::matches(pattern(&abbreviated(shape)), call))
    }

    /// The body of a test function. If `is_spawned`, it is a generator whose test has a process of
    /// its own.
    pub(super) fn body(&self, bindings: &[String], is_spawned: bool) -> String {
        let (start, end) = if is_spawned {
            ("{spawn, ?_", ")}.")
        } else {
            ("?", ").")
        };
        let bindings: String = bindings.iter().map(|it| format!("    {it},\n")).collect();
        let text = self.text(start, end, 4).replace('\n', "\n    ");
        format!("{bindings}    {text}")
    }

    /// The expression in a script, whose lines have up to 8 spaces before them.
    pub(super) fn expression(&self) -> String {
        self.text("?", ")", 8)
    }

    /// The assertion in one line or, if it does not fit with so many spaces before it, in several.
    fn text(&self, start: &str, end: &str, spaces: usize) -> String {
        let Self {
            name,
            expected,
            call,
        } = self;
        let line = format!("{start}{name}({expected}, {call}{end}");
        if line.chars().count() + spaces <= WIDTH {
            return line;
        }
        format!("{start}{name}(\n    {expected},\n    {call}\n{end}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(outcome: &Outcome) -> String {
        let assertion = Assertion::new(outcome, "m:f(1)");
        assertion.expect("it can be written").body(&[], false)
    }

    fn raised(class: &str, reason: &str) -> Outcome {
        Outcome::Exception {
            class: class.to_owned(),
            reason: reason.to_owned(),
            stack: Vec::new(),
        }
    }

    #[test]
    fn values_and_exceptions_are_asserted() {
        let cases = [
            (
                Outcome::Ok("-0.0".to_owned()),
                "    ?assertEqual(-0.0, m:f(1)).",
            ),
            (
                Outcome::Ok("{#Fun<m.0.1>}".to_owned()),
                "    ?assertMatch({Fun1} when is_function(Fun1), m:f(1)).",
            ),
            (
                raised("error", "{badmatch,7}"),
                "    ?assertError({badmatch,7}, m:f(1)).",
            ),
            (raised("exit", "normal"), "    ?assertExit(normal, m:f(1))."),
            (
                raised("throw", "\"a,b\""),
                "    ?assertThrow(\"a,b\", m:f(1)).",
            ),
        ];
        for (outcome, expected) in cases {
            assert_eq!(body(&outcome), expected);
        }
        assert_eq!(Assertion::new(&Outcome::Timeout, "m:f(1)"), None);
    }

    #[test]
    fn a_test_may_have_variables_and_a_process_of_its_own() {
        let assertion = Assertion::new(&Outcome::Ok("1".to_owned()), "m:f(Given1, Given1)");
        let assertion = assertion.expect("it can be written");
        assert_eq!(
            assertion.body(&["Given1 = fun() -> 0 end".to_owned()], true),
            "    Given1 = fun() -> 0 end,\n    {spawn, ?_assertEqual(1, m:f(Given1, Given1))}."
        );
    }

    #[test]
    fn long_assertions_have_lines_of_their_own() {
        let text = format!("\"{}\"", "a".repeat(90));
        let expected = format!("    ?assertEqual(\n        {text},\n        m:f(1)\n    ).");
        assert_eq!(body(&Outcome::Ok(text)), expected);
    }
}
