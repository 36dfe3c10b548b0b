//! Patterns with guards in Elixir, for values that cannot be written out.

use crate::abbreviated_value::abbreviated;
use crate::printed_value::{MODULUS, Shape, Unknown};
use crate::wording::Wording;

/// A pattern that a value matches, with a guard where necessary: a map pattern would match larger
/// maps, unknown parts are compared by type, and long parts by size.
pub(super) fn pattern(wording: &Wording<'_>, shape: Shape) -> String {
    let mut writer = ElixirPattern {
        wording,
        guards: Vec::new(),
    };
    let text = writer.term(&abbreviated(shape));
    if writer.guards.is_empty() {
        return text;
    }
    format!("{text} when {}", writer.guards.join(" and "))
}

struct ElixirPattern<'report> {
    wording: &'report Wording<'report>,
    guards: Vec<String>,
}

impl ElixirPattern<'_> {
    fn term(&mut self, shape: &Shape) -> String {
        match shape {
            Shape::Number(text) if text == "0.0" => "+0.0".to_owned(),
            // A pattern has no operators.
            Shape::Number(text) if text.contains(" bsl ") => {
                let value = self.wording.value(text);
                self.guarded("integer", |name| format!("{name} == {value}"))
            }
            Shape::Number(text) | Shape::Atom(text) | Shape::Text(text) | Shape::Bits(text) => {
                self.wording.value(text)
            }
            Shape::List(elements, None) => format!("[{}]", self.all(elements)),
            Shape::List(elements, Some(tail)) => {
                format!("[{} | {}]", self.all(elements), self.term(tail))
            }
            Shape::Tuple(elements) => format!("{{{}}}", self.all(elements)),
            Shape::Map(_) if shape.is_exact() => {
                let value = self.wording.value(&shape.to_string());
                self.guarded("map", |name| format!("{name} == {value}"))
            }
            Shape::Map(pairs) => self.map(pairs),
            Shape::Unknown(unknown) => self.unknown(*unknown),
        }
    }

    fn all(&mut self, elements: &[Shape]) -> String {
        let texts: Vec<String> = elements.iter().map(|it| self.term(it)).collect();
        texts.join(", ")
    }

    /// A pattern has no keys that cannot be compared.
    fn map(&mut self, pairs: &[(Shape, Shape)]) -> String {
        let mut texts = Vec::new();
        for (key, value) in pairs.iter().filter(|it| it.0.is_exact()) {
            let key = self.wording.value(&key.to_string());
            texts.push(format!("{key} => {}", self.term(value)));
        }
        format!("%{{{}}}", texts.join(", "))
    }

    fn unknown(&mut self, unknown: Unknown) -> String {
        match unknown {
            Unknown::Fun => self.guarded("fun", |it| format!("is_function({it})")),
            Unknown::Pid => self.guarded("pid", |it| format!("is_pid({it})")),
            Unknown::Port => self.guarded("port", |it| format!("is_port({it})")),
            Unknown::Reference => self.guarded("ref", |it| format!("is_reference({it})")),
            Unknown::List(size) => self.guarded("list", |it| format!("length({it}) == {size}")),
            Unknown::Tuple(size) => {
                self.guarded("tuple", |it| format!("tuple_size({it}) == {size}"))
            }
            Unknown::Map(size) => self.guarded("map", |it| format!("map_size({it}) == {size}")),
            Unknown::Bits(size) => self.guarded("bits", |it| format!("bit_size({it}) == {size}")),
            Unknown::Integer(rest) => {
                self.guarded("integer", |it| format!("rem({it}, {MODULUS}) == {rest}"))
            }
            Unknown::Any => "_".to_owned(),
        }
    }

    /// A variable with a guard.
    fn guarded(&mut self, kind: &str, test: impl Fn(&str) -> String) -> String {
        let name = format!("{kind}{}", self.guards.len() + 1);
        self.guards.push(test(&name));
        name
    }
}
