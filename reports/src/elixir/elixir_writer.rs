//! Values as Elixir source.

use flattener::ast::deep;
use flattener::flat::is_elixir_module;

use super::elixir_names::{atom, atom_text, has_escapes, key, module_name, remote};
use super::elixir_numbers::{number, number_pattern};
use super::elixir_strings::{quoted, string_text};
use super::elixir_structs::{ShownStruct, text_of};
use super::known_structs::KnownStructs;
use crate::printed_value::{
    Expression, FunctionName, TableClause, TableHead, TableTest, Unknown, bytes, unquoted,
};

/// Writes values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElixirWriter<'code> {
    structs: KnownStructs<'code>,
    /// Whether patterns are written, which have no operators.
    is_pattern: bool,
}

impl<'code> ElixirWriter<'code> {
    /// A writer for a program that has these structs.
    pub(crate) fn new(structs: KnownStructs<'code>) -> Self {
        Self {
            structs,
            is_pattern: false,
        }
    }

    /// A value as Elixir source.
    pub(crate) fn value(&self, expression: &Expression) -> String {
        deep(|| self.shallow_value(expression))
    }

    fn shallow_value(&self, expression: &Expression) -> String {
        match expression {
            Expression::Number(source) if self.is_pattern => number_pattern(source),
            Expression::Number(source) => number(source),
            Expression::Atom(source) => atom(&atom_text(source)),
            Expression::Text(source) => format!("~c{}", quoted(&unquoted(source))),
            Expression::Bits(source) => bits(source),
            Expression::List(elements, None) => match self.keywords(elements) {
                Some(pairs) => format!("[{pairs}]"),
                None => format!("[{}]", self.all(elements)),
            },
            Expression::List(elements, Some(tail)) => {
                format!("[{} | {}]", self.all(elements), self.value(tail))
            }
            Expression::Tuple(elements) => format!("{{{}}}", self.all(elements)),
            Expression::Map(pairs) => self.map(pairs),
            Expression::Handle(unknown, source) => handle(*unknown, source),
            Expression::ExternalFun(function) => capture(function),
            Expression::TableFun(clauses) => self.fun(clauses),
            Expression::Call(function, arguments) => self.call(function, arguments),
            Expression::Second(call) => format!("elem({}, 1)", self.value(call)),
            Expression::Changed(calls, value) => {
                let calls: Vec<String> = calls.iter().map(|it| self.value(it)).collect();
                let (calls, value) = (calls.join("; "), self.value(value));
                format!("(fn x -> {calls}; x end).({value})")
            }
            Expression::Variable(name) => name.to_lowercase(),
            Expression::Cut => "...".to_owned(),
        }
    }

    /// A call with these arguments.
    pub(crate) fn call(&self, function: &FunctionName, arguments: &[Expression]) -> String {
        let arguments = self.all(arguments);
        if has_escapes(function) {
            return format!("apply({}, [{arguments}])", atoms(function));
        }
        format!("{}({arguments})", remote(function))
    }

    fn all(&self, elements: &[Expression]) -> String {
        let texts: Vec<String> = elements.iter().map(|it| self.value(it)).collect();
        texts.join(", ")
    }

    /// `a: 1, b: 2`, if a list is not empty and has only such pairs.
    fn keywords(&self, elements: &[Expression]) -> Option<String> {
        let pair = |element: &Expression| {
            let Expression::Tuple(parts) = element else {
                return None;
            };
            let [name, value] = parts.as_slice() else {
                return None;
            };
            self.pair(&text_of(name)?, value)
        };
        let pairs: Option<Vec<String>> = elements.iter().map(pair).collect();
        Some(pairs?.join(", ")).filter(|it| !it.is_empty())
    }

    /// `a: 1`.
    fn pair(&self, name: &str, value: &Expression) -> Option<String> {
        Some(format!("{} {}", key(name)?, self.value(value)))
    }

    fn map(&self, pairs: &[(Expression, Expression)]) -> String {
        let shown = ShownStruct::of(pairs).and_then(|it| self.shown_struct(&it));
        shown.unwrap_or_else(|| format!("%{{{}}}", self.pairs(pairs)))
    }

    fn pairs(&self, pairs: &[(Expression, Expression)]) -> String {
        let is_cut = |key: &Expression| *key == Expression::Cut;
        let short = |(key, value): &(Expression, Expression)| {
            if is_cut(key) {
                return Some("...".to_owned());
            }
            self.pair(&text_of(key)?, value)
        };
        let long = |(key, value): &(Expression, Expression)| {
            if is_cut(key) {
                return "...".to_owned();
            }
            format!("{} => {}", self.value(key), self.value(value))
        };
        let all_short: Option<Vec<String>> = pairs.iter().map(short).collect();
        let texts = all_short.unwrap_or_else(|| pairs.iter().map(long).collect());
        texts.join(", ")
    }

    /// A struct in its own form; `None` if its module does not define it so.
    fn shown_struct(&self, shown: &ShownStruct<'_>) -> Option<String> {
        match shown {
            ShownStruct::Range { first, last, step } => {
                let is_up = matches!((first.parse::<i64>(), last.parse::<i64>()),
                    (Ok(first), Ok(last)) if first <= last);
                Some(if *step == "1" && is_up {
                    format!("{first}..{last}")
                } else {
                    format!("{first}..{last}//{step}")
                })
            }
            // A pattern has no calls.
            ShownStruct::Set(_) if self.is_pattern => None,
            ShownStruct::Set(elements) => {
                let texts: Vec<String> = elements.iter().map(|it| self.value(it)).collect();
                Some(format!("MapSet.new([{}])", texts.join(", ")))
            }
            ShownStruct::Named(module, fields) => self.named_struct(module, fields),
        }
    }

    fn named_struct(&self, module: &str, fields: &[(String, &Expression)]) -> Option<String> {
        let mut keys: Vec<String> = fields.iter().map(|it| it.0.clone()).collect();
        keys.push("__struct__".to_owned());
        let name = module_name(module);
        let is_alias = is_elixir_module(module) && !name.starts_with(':');
        if !is_alias || !self.structs.has(module, &keys) {
            return None;
        }
        let is_default = |name: &str, value: &Expression| {
            name == "__exception__" && *value == Expression::Atom("true".to_owned())
        };
        let shown = fields.iter().filter(|(name, it)| !is_default(name, it));
        let pairs: Option<Vec<String>> = shown.map(|(name, it)| self.pair(name, it)).collect();
        Some(format!("%{name}{{{}}}", pairs?.join(", ")))
    }

    fn fun(&self, clauses: &[TableClause]) -> String {
        let clauses: Vec<String> = clauses.iter().map(|it| self.clause(it)).collect();
        format!("fn {} end", clauses.join("; "))
    }

    fn clause(&self, clause: &TableClause) -> String {
        let head = match &clause.head {
            TableHead::Patterns(patterns) => self.patterns(patterns),
            TableHead::Guarded(patterns, tests) => {
                let tests: Vec<String> = tests.iter().map(|it| self.test(it)).collect();
                format!("{} when {}", self.patterns(patterns), tests.join(" and "))
            }
            TableHead::Others(count) => vec!["_"; *count].join(", "),
        };
        let space = if head.is_empty() { "" } else { " " };
        format!("{head}{space}-> {}", self.value(&clause.result))
    }

    fn patterns(&self, patterns: &[Expression]) -> String {
        let writer = Self {
            is_pattern: true,
            ..*self
        };
        writer.all(patterns)
    }

    /// `x1 === %{}` or `is_function(f1, 1)`.
    fn test(&self, test: &TableTest) -> String {
        match test {
            TableTest::Equal(name, value) => {
                format!("{} === {}", name.to_lowercase(), self.value(value))
            }
            TableTest::IsFun(name, arity) => {
                format!("is_function({}, {arity})", name.to_lowercase())
            }
        }
    }
}

/// A function as a value.
fn capture(function: &FunctionName) -> String {
    let arity = function.arity;
    if has_escapes(function) {
        return format!("Function.capture({}, {arity})", atoms(function));
    }
    format!("&{}/{arity}", remote(function))
}

/// Module and name of a function as atoms.
fn atoms(function: &FunctionName) -> String {
    let FunctionName { module, name, .. } = function;
    format!("{}, {}", atom(&atom_text(module)), atom(&atom_text(name)))
}

/// A bit string: a string if it is text, or its bytes.
fn bits(source: &str) -> String {
    let Some((bytes, last)) = bytes(source) else {
        return source.replace(',', ", ");
    };
    if last == 8
        && let Some(text) = string_text(&bytes)
    {
        return quoted(text);
    }
    let mut parts: Vec<String> = bytes.iter().map(u8::to_string).collect();
    if let Some(part) = parts.last_mut().filter(|_| last < 8) {
        part.push_str(&format!("::{last}"));
    }
    format!("<<{}>>", parts.join(", "))
}

/// A value that has no source, as Elixir shows it.
fn handle(unknown: Unknown, source: &str) -> String {
    let inside = source.split_once('<').map_or(source, |it| it.1);
    match unknown {
        Unknown::Pid => format!("#PID<{inside}"),
        Unknown::Reference => format!("#Reference<{inside}"),
        Unknown::Fun => function(inside.trim_end_matches('>')),
        Unknown::Port
        | Unknown::List(_)
        | Unknown::Tuple(_)
        | Unknown::Map(_)
        | Unknown::Bits(_)
        | Unknown::Integer(_)
        | Unknown::Any => source.to_owned(),
    }
}

/// `Elixir.Cart.0.123` is the fun `0.123` in `Cart`.
fn function(inside: &str) -> String {
    let mut parts = inside.rsplitn(3, '.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(unique), Some(index), Some(module)) => {
            let module = module_name(&atom_text(module));
            format!("#Function<{index}.{unique} in {module}>")
        }
        _ => format!("#Function<{inside}>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printed_value::read_expression;

    fn elixir(erlang: &str) -> String {
        let expression = read_expression(erlang).expect("it can be read");
        ElixirWriter::new(KnownStructs::new(None)).value(&expression)
    }

    #[test]
    fn values_are_written_as_elixir_inspects_them() {
        let cases = [
            ("ok", ":ok"),
            ("{ok,nil}", "{:ok, nil}"),
            ("[1,2|x]", "[1, 2 | :x]"),
            ("\"abc\"", "~c\"abc\""),
            ("<<\"a\\\"b\">>", "\"a\\\"b\""),
            ("<<>>", "\"\""),
            ("<<1,5:3>>", "<<1, 5::3>>"),
            ("<<255>>", "<<255>>"),
            ("[]", "[]"),
            ("[{a,1},{'b c',2}]", "[a: 1, \"b c\": 2]"),
            ("[{a,1},b]", "[{:a, 1}, :b]"),
            ("[{'Elixir.A',1}]", "[{A, 1}]"),
            ("#{a => 1,b => <<\"x\">>}", "%{a: 1, b: \"x\"}"),
            ("#{<<\"a\">> => 1,b => 2}", "%{\"a\" => 1, :b => 2}"),
            ("#{}", "%{}"),
            ("1.0e10", "1.0e10"),
            ("1 bsl 1023 - 1", "2 ** 1023 - 1"),
            ("<0.12.3>", "#PID<0.12.3>"),
            ("#Ref<0.1.2.3>", "#Reference<0.1.2.3>"),
            ("#Fun<Elixir.Cart.0.99>", "#Function<0.99 in Cart>"),
            ("[1,...]", "[1, ...]"),
        ];
        for (erlang, expected) in cases {
            assert_eq!(elixir(erlang), expected);
        }
    }

    #[test]
    fn structs_have_names() {
        let cases = [
            (
                "#{'__struct__' => 'Elixir.Cart.Item',price => 0}",
                "%Cart.Item{price: 0}",
            ),
            (
                "#{'__struct__' => odd,price => 0}",
                "%{__struct__: :odd, price: 0}",
            ),
            (
                "#{'__struct__' => 'Elixir.Range',first => 1,last => 3,step => 1}",
                "1..3",
            ),
            (
                "#{'__struct__' => 'Elixir.Range',first => 3,last => 1,step => 1}",
                "3..1//1",
            ),
            (
                "#{'__struct__' => 'Elixir.MapSet',map => #{1 => []},version => 2}",
                "MapSet.new([1])",
            ),
            (
                "#{'__exception__' => true,'__struct__' => 'Elixir.E',message => <<\"m\">>}",
                "%E{message: \"m\"}",
            ),
        ];
        for (erlang, expected) in cases {
            assert_eq!(elixir(erlang), expected);
        }
    }

    #[test]
    fn funs_and_calls_are_expressions() {
        let cases = [
            ("fun(3) -> 42; (_) -> 0 end", "fn 3 -> 42; _ -> 0 end"),
            ("fun() -> 5 end", "fn -> 5 end"),
            (
                "fun(X1, X2) when X1 =:= #{}, X2 =:= 1 -> x; (_, _) -> y end",
                "fn x1, x2 when x1 === %{} and x2 === 1 -> :x; _, _ -> :y end",
            ),
            ("fun 'Elixir.Cart':total/1", "&Cart.total/1"),
            ("fun lists:map/2", "&:lists.map/2"),
            ("'Elixir.MapSet':new([1])", "MapSet.new([1])"),
            (
                "element(2,queue:out(q:new()))",
                "elem(:queue.out(:q.new()), 1)",
            ),
            (
                "(fun(X) -> m:put(X,1), X end)(m:new())",
                "(fn x -> :m.put(x, 1); x end).(:m.new())",
            ),
        ];
        for (erlang, expected) in cases {
            assert_eq!(elixir(erlang), expected);
        }
    }
}
