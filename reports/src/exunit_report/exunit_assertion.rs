//! What a test for ExUnit asserts: the value of a call, or its exception.

use super::exunit_pattern::pattern;
use crate::abbreviated_value::LONG;
use crate::elixir::ElixirException;
use crate::outcome::Outcome;
use crate::printed_value::{Shape, read_shape};
use crate::wording::Wording;

/// An assertion of how a call ends; `None` if it ends with neither a value nor an exception, or if
/// that cannot be written.
pub(super) fn assertion(wording: &Wording<'_>, outcome: &Outcome, call: &str) -> Option<String> {
    match outcome {
        Outcome::Ok(value) => compared(wording, value, call),
        Outcome::Exception { class, reason, .. } => match class.as_str() {
            "error" => error(wording, outcome, reason, call),
            "exit" => compared(wording, reason, &format!("catch_exit({call})")),
            "throw" => compared(wording, reason, &format!("catch_throw({call})")),
            _ => None,
        },
        Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Blocked(_)
        | Outcome::Deadlock { .. }
        | Outcome::Steps => None,
    }
}

/// Asserts the module of an exception; its message may differ from release to release. Errors that
/// are no exceptions of Elixir are compared as they are.
fn error(wording: &Wording<'_>, outcome: &Outcome, reason: &str, call: &str) -> Option<String> {
    let ElixirException { module, .. } = wording.exception(outcome)?;
    if module == "ErlangError" {
        return compared(wording, reason, &format!("catch_error({call})"));
    }
    Some(format!("assert_raise {module}, fn -> {call} end"))
}

/// Asserts a value, or what of it can be compared.
fn compared(wording: &Wording<'_>, source: &str, expression: &str) -> Option<String> {
    let shape = read_shape(source)?;
    if !shape.is_exact() || source.chars().count() > LONG {
        let pattern = pattern(wording, shape);
        return Some(format!("assert match?({pattern}, {expression})"));
    }
    // 1 and 1.0 are equal otherwise.
    let operator = if has_floats(&shape) { "===" } else { "==" };
    Some(format!(
        "assert {expression} {operator} {}",
        wording.value(source)
    ))
}

fn has_floats(shape: &Shape) -> bool {
    match shape {
        Shape::Number(text) => text.contains('.'),
        Shape::List(elements, tail) => elements.iter().chain(tail.as_deref()).any(has_floats),
        Shape::Tuple(elements) => elements.iter().any(has_floats),
        Shape::Map(pairs) => pairs
            .iter()
            .any(|it| has_floats(&it.0) || has_floats(&it.1)),
        Shape::Atom(_) | Shape::Text(_) | Shape::Bits(_) | Shape::Unknown(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    fn asserted(outcome: &Outcome) -> Option<String> {
        let wording = Wording::in_language(Language::Elixir, None);
        assertion(&wording, outcome, "M.f(1)")
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
            (Outcome::Ok("[{a,1}]".to_owned()), "assert M.f(1) == [a: 1]"),
            (Outcome::Ok("{1.0}".to_owned()), "assert M.f(1) === {1.0}"),
            (
                Outcome::Ok("{#Fun<m.0.1>,#{a => 1}}".to_owned()),
                "assert match?({fun1, map2} when is_function(fun1) and map2 == %{a: 1}, M.f(1))",
            ),
            (
                raised("error", "badarith"),
                "assert_raise ArithmeticError, fn -> M.f(1) end",
            ),
            (
                raised("error", "{odd,1}"),
                "assert catch_error(M.f(1)) == {:odd, 1}",
            ),
            (
                raised("exit", "normal"),
                "assert catch_exit(M.f(1)) == :normal",
            ),
            (
                raised("throw", "<<\"a\">>"),
                "assert catch_throw(M.f(1)) == \"a\"",
            ),
        ];
        for (outcome, expected) in cases {
            assert_eq!(asserted(&outcome).as_deref(), Some(expected));
        }
        assert_eq!(asserted(&Outcome::Timeout), None);
    }
}
