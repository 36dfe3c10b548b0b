//! The exceptions that Elixir makes of errors, as far as the reason of an error shows them.

use super::elixir_names::{atom_text, module_name, shown_function};
use super::elixir_structs::text_of;
use super::elixir_writer::ElixirWriter;
use crate::outcome::StackEntry;
use crate::printed_value::{Expression, printed_text, read_expression, read_function};

/// An exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ElixirException {
    /// Its module: `ArithmeticError`.
    pub(crate) module: String,
    /// Its message.
    pub(crate) message: String,
}

impl ElixirException {
    /// The exception of an error, given its reason as Erlang source.
    pub(crate) fn of(writer: &ElixirWriter<'_>, reason: &str, stack: &[StackEntry]) -> Self {
        let Some(reason) = read_expression(reason) else {
            return new("ErlangError", format!("Erlang error: {reason}"));
        };
        let known = match &reason {
            Expression::Atom(word) => of_word(word, stack),
            Expression::Tuple(parts) => of_tuple(writer, parts),
            Expression::Map(pairs) => raised(writer, pairs),
            Expression::Number(_)
            | Expression::Text(_)
            | Expression::Bits(_)
            | Expression::List(..)
            | Expression::Handle(..)
            | Expression::ExternalFun(_)
            | Expression::TableFun(_)
            | Expression::Call(..)
            | Expression::Second(_)
            | Expression::Changed(..)
            | Expression::Variable(_)
            | Expression::Cut => None,
        };
        let other = || format!("Erlang error: {}", writer.value(&reason));
        known.unwrap_or_else(|| new("ErlangError", other()))
    }
}

fn new(module: &str, message: impl Into<String>) -> ElixirException {
    ElixirException {
        module: module.to_owned(),
        message: message.into(),
    }
}

/// The exception of a reason that is one word.
fn of_word(word: &str, stack: &[StackEntry]) -> Option<ElixirException> {
    let innermost = || {
        let function = stack.first().and_then(|it| read_function(&it.function));
        function.map_or_else(|| "unknown".to_owned(), |it| shown_function(&it))
    };
    Some(match word {
        "badarg" => new("ArgumentError", "argument error"),
        "badarith" => new("ArithmeticError", "bad argument in arithmetic expression"),
        "cond_clause" => new(
            "CondClauseError",
            "no cond clause evaluated to a truthy value",
        ),
        "function_clause" => new(
            "FunctionClauseError",
            format!("no function clause matching in {}", innermost()),
        ),
        "system_limit" => new("SystemLimitError", "a system limit has been reached"),
        "undef" => new(
            "UndefinedFunctionError",
            format!("function {} is undefined", innermost()),
        ),
        _ => return None,
    })
}

/// The exception of a reason such as `{badmatch,V}`.
fn of_tuple(writer: &ElixirWriter<'_>, parts: &[Expression]) -> Option<ElixirException> {
    let (tag, values) = parts.split_first()?;
    let shown: Vec<String> = values.iter().map(|it| writer.value(it)).collect();
    let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
    Some(match (text_of(tag)?.as_str(), shown.as_slice()) {
        ("badmatch", [it]) => new(
            "MatchError",
            format!("no match of right hand side value: {it}"),
        ),
        ("case_clause", [it]) => new("CaseClauseError", format!("no case clause matching: {it}")),
        ("try_clause", [it]) => new("TryClauseError", format!("no try clause matching: {it}")),
        ("with_clause" | "else_clause", [it]) => {
            new("WithClauseError", format!("no with clause matching: {it}"))
        }
        ("badmap", [it]) => new("BadMapError", format!("expected a map, got: {it}")),
        ("badfun", [it]) => new(
            "BadFunctionError",
            format!("expected a function, got: {it}"),
        ),
        ("badarity", [_]) => new("BadArityError", "a function is called with a wrong arity"),
        ("badkey", [key]) => new("KeyError", format!("key {key} not found")),
        ("badkey", [key, map]) => new("KeyError", format!("key {key} not found in: {map}")),
        ("badbool", [operator, it]) => {
            let operator = operator.trim_start_matches(':');
            let text = format!("expected a boolean on left-side of \"{operator}\", got: {it}");
            new("BadBooleanError", text)
        }
        ("badstruct", [name, it]) => new(
            "BadStructError",
            format!("expected a struct named {name}, got: {it}"),
        ),
        ("badarg", [it]) => new("ArgumentError", format!("argument error: {it}")),
        _ => return None,
    })
}

/// The exception that a program raised: a struct.
fn raised(
    writer: &ElixirWriter<'_>,
    pairs: &[(Expression, Expression)],
) -> Option<ElixirException> {
    let field = |name: &str| {
        let is_it = |key: &Expression| text_of(key).is_some_and(|it| it == name);
        pairs.iter().find(|it| is_it(&it.0)).map(|it| &it.1)
    };
    if text_of(field("__exception__")?)? != "true" {
        return None;
    }
    let module = module_name(&text_of(field("__struct__")?)?);
    let shown = |name: &str| field(name).map(|it| writer.value(it));
    let message = field("message").and_then(text).or_else(|| {
        let key = shown("key")?;
        let term = shown("term").filter(|it| it != "nil");
        let place = term.map_or_else(String::new, |it| format!(" in: {it}"));
        Some(format!("key {key} not found{place}"))
    });
    let all = || writer.value(&Expression::Map(pairs.to_vec()));
    let message = message.unwrap_or_else(all);
    Some(ElixirException { module, message })
}

/// The text of a binary.
fn text(expression: &Expression) -> Option<String> {
    let Expression::Bits(source) = expression else {
        return None;
    };
    printed_text(source)
}

/// The end of a process in the words of Elixir.
pub(crate) fn exit_text(writer: &ElixirWriter<'_>, reason: &str) -> String {
    match read_expression(reason) {
        Some(Expression::Atom(word))
            if matches!(word.as_str(), "normal" | "shutdown" | "killed" | "noproc") =>
        {
            atom_text(&word)
        }
        Some(reason) => writer.value(&reason),
        None => reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elixir::KnownStructs;

    fn banner(reason: &str) -> String {
        let stack = [StackEntry {
            function: "'Elixir.Cart':total/1".to_owned(),
            file: String::new(),
            line: 0,
            is_own: true,
        }];
        let writer = ElixirWriter::new(KnownStructs::new(None));
        let ElixirException { module, message } = ElixirException::of(&writer, reason, &stack);
        format!("({module}) {message}")
    }

    #[test]
    fn errors_are_exceptions() {
        let cases = [
            (
                "badarith",
                "(ArithmeticError) bad argument in arithmetic expression",
            ),
            (
                "function_clause",
                "(FunctionClauseError) no function clause matching in Cart.total/1",
            ),
            (
                "{badmatch,{error,<<\"x\">>}}",
                "(MatchError) no match of right hand side value: {:error, \"x\"}",
            ),
            (
                "{badkey,a,#{b => 1}}",
                "(KeyError) key :a not found in: %{b: 1}",
            ),
            (
                "{badbool,'and',1}",
                "(BadBooleanError) expected a boolean on left-side of \"and\", got: 1",
            ),
            (
                "#{'__exception__' => true,'__struct__' => 'Elixir.Cart.Error',\
                 message => <<\"it is empty\">>}",
                "(Cart.Error) it is empty",
            ),
            (
                "#{'__exception__' => true,'__struct__' => 'Elixir.KeyError',key => a,\
                 message => nil,term => []}",
                "(KeyError) key :a not found in: []",
            ),
            ("odd", "(ErlangError) Erlang error: :odd"),
            ("#{a => 1}", "(ErlangError) Erlang error: %{a: 1}"),
        ];
        for (reason, expected) in cases {
            assert_eq!(banner(reason), expected);
        }
    }
}
