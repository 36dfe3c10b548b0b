//! Reads printed values.

use super::expression::{Expression, FunctionName, TableClause, TableHead, TableTest};
use super::printed_shape::Unknown;

/// How deep a value may be nested.
const DEPTH: usize = 100;

/// Reads a printed value; `None` if it is too deep or not understood.
pub(crate) fn read_expression(text: &str) -> Option<Expression> {
    let mut reader = ExpressionReader { rest: text };
    let expression = reader.term(DEPTH)?;
    reader.rest.trim_start().is_empty().then_some(expression)
}

/// Reads a function such as `m:f/1` or `'Elixir.M':f/1`.
pub(crate) fn read_function(text: &str) -> Option<FunctionName> {
    let mut reader = ExpressionReader { rest: text };
    let function = reader.function_name()?;
    reader.rest.is_empty().then_some(function)
}

/// A text that is read from its beginning.
struct ExpressionReader<'text> {
    rest: &'text str,
}

impl<'text> ExpressionReader<'text> {
    fn term(&mut self, depth: usize) -> Option<Expression> {
        let depth = depth.checked_sub(1)?;
        self.rest = self.rest.trim_start();
        if let Some(handle) = self.handle(depth) {
            return Some(handle);
        }
        if self.skip("#{") {
            return self.map(depth);
        }
        if self.skip("{") {
            return self
                .separated("}", |it| it.term(depth))
                .map(Expression::Tuple);
        }
        if self.skip("[") {
            return self.list(depth);
        }
        if self.skip("...") {
            return Some(Expression::Cut);
        }
        if self.rest.starts_with("<<") {
            return self.bits().map(Expression::Bits);
        }
        if self.rest.starts_with("-(") {
            return self.negative_power();
        }
        if self.skip("(fun(") {
            return self.changed(depth);
        }
        match self.rest.chars().next()? {
            quote @ '"' => self.quoted(quote).map(|it| Expression::Text(it.to_owned())),
            quote @ '\'' => {
                let atom = self.quoted(quote)?;
                self.atom_or_call(atom, depth)
            }
            _ => self.word(depth),
        }
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Values without source, and funs.
    fn handle(&mut self, depth: usize) -> Option<Expression> {
        let start = self.rest;
        let tags = [
            ("#Fun<", Unknown::Fun),
            ("#Ref<", Unknown::Reference),
            ("#Port<", Unknown::Port),
        ];
        let tag = tags.into_iter().find(|it| start.starts_with(it.0));
        let inside = start.strip_prefix('<');
        let is_pid = inside.is_some_and(|it| it.starts_with(|digit: char| digit.is_ascii_digit()));
        let tag = tag.map(|it| it.1).or(is_pid.then_some(Unknown::Pid));
        if let Some(unknown) = tag {
            self.skip_past('>')?;
            return Some(Expression::Handle(unknown, self.since(start)?));
        }
        if start.starts_with("fun(") {
            self.skip("fun");
            return self.table(depth).map(Expression::TableFun);
        }
        if self.skip("fun ") {
            return self.function_name().map(Expression::ExternalFun);
        }
        None
    }

    /// Skips the text up to and including the next such character.
    fn skip_past(&mut self, end: char) -> Option<()> {
        self.rest = self.rest.split_once(end)?.1;
        Some(())
    }

    /// The clauses of a fun that is written as a table.
    fn table(&mut self, depth: usize) -> Option<Vec<TableClause>> {
        let mut clauses = Vec::new();
        loop {
            clauses.push(self.table_clause(depth)?);
            if self.skip("end") {
                return Some(clauses);
            }
            if !self.skip(";") {
                return None;
            }
        }
    }

    fn table_clause(&mut self, depth: usize) -> Option<TableClause> {
        if !self.skip("(") {
            return None;
        }
        let patterns = self.separated(")", |it| it.term(depth))?;
        let is_other = |it: &Expression| matches!(it, Expression::Variable(name) if name == "_");
        let head = if self.skip("when ") {
            TableHead::Guarded(patterns, self.tests(depth)?)
        } else if patterns.iter().all(is_other) {
            TableHead::Others(patterns.len())
        } else {
            TableHead::Patterns(patterns)
        };
        if !self.skip("->") {
            return None;
        }
        let result = self.term(depth)?;
        Some(TableClause { head, result })
    }

    /// The tests in `X1 =:= 1, is_function(F2, 1)`.
    fn tests(&mut self, depth: usize) -> Option<Vec<TableTest>> {
        let mut tests = vec![self.test(depth)?];
        while self.skip(",") {
            tests.push(self.test(depth)?);
        }
        Some(tests)
    }

    fn test(&mut self, depth: usize) -> Option<TableTest> {
        let is_fun = self.skip("is_function(");
        let Expression::Variable(name) = self.term(1)? else {
            return None;
        };
        if !is_fun {
            self.skip("=:=").then_some(())?;
            return Some(TableTest::Equal(name, self.term(depth)?));
        }
        self.skip(",").then_some(())?;
        let Expression::Number(arity) = self.term(1)? else {
            return None;
        };
        self.skip(")").then_some(TableTest::IsFun(name, arity))
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'text str {
        let end = self.rest.find(|it| !is_part(it));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn quoted(&mut self, quote: char) -> Option<&'text str> {
        let mut escaped = true;
        for (at, character) in self.rest.char_indices() {
            if escaped {
                escaped = false;
            } else if character == '\\' {
                escaped = true;
            } else if character == quote {
                let (text, rest) = self.rest.split_at(at + quote.len_utf8());
                self.rest = rest;
                return Some(text);
            }
        }
        None
    }

    /// An atom, with or without quotes.
    fn name(&mut self) -> Option<String> {
        if self.rest.starts_with('\'') {
            return self.quoted('\'').map(str::to_owned);
        }
        let word = self.take_while(|it| it.is_alphanumeric() || it == '_' || it == '@');
        (!word.is_empty()).then(|| word.to_owned())
    }

    /// `m:f/1`.
    fn function_name(&mut self) -> Option<FunctionName> {
        let module = self.name()?;
        if !self.skip(":") {
            return None;
        }
        let name = self.name()?;
        if !self.skip("/") {
            return None;
        }
        let arity = self.take_while(|it| it.is_ascii_digit()).parse().ok()?;
        Some(FunctionName {
            module,
            name,
            arity,
        })
    }

    /// A number, an atom without quotes, a variable, or a call.
    fn word(&mut self, depth: usize) -> Option<Expression> {
        let start = self.rest;
        let is_part = |it: char| it.is_alphanumeric() || "_@.+-".contains(it);
        let word = self.take_while(is_part);
        let first = word.chars().next()?;
        if first.is_ascii_uppercase() || first == '_' {
            return Some(Expression::Variable(word.to_owned()));
        }
        if !first.is_ascii_digit() && first != '-' {
            return self.atom_or_call(word, depth);
        }
        if self.rest.starts_with(" bsl ") {
            self.rest = self.rest.get(5..)?;
            self.take_while(|it| it.is_ascii_digit());
            self.skip_summand();
        }
        self.since(start).map(Expression::Number)
    }

    /// The atom, or the call that it begins: `m:f(1)` or `element(2,m:f(1))`.
    fn atom_or_call(&mut self, atom: &str, depth: usize) -> Option<Expression> {
        if atom == "element" && self.skip("(2,") {
            let call = self.term(depth)?;
            return self.skip(")").then(|| Expression::Second(Box::new(call)));
        }
        if !self.rest.starts_with(':') {
            return Some(Expression::Atom(atom.to_owned()));
        }
        self.skip(":");
        let name = self.name()?;
        if !self.skip("(") {
            return None;
        }
        let arguments = self.separated(")", |it| it.term(depth))?;
        let function = FunctionName {
            module: atom.to_owned(),
            name,
            arity: arguments.len(),
        };
        Some(Expression::Call(function, arguments))
    }

    /// `X) -> m:put(X,1), X end)(Value)`, the part after `(fun(`.
    fn changed(&mut self, depth: usize) -> Option<Expression> {
        let variable = self.term(depth)?;
        if !self.skip(")") || !self.skip("->") {
            return None;
        }
        let mut calls = Vec::new();
        loop {
            let part = self.term(depth)?;
            if part == variable {
                break;
            }
            calls.push(part);
            if !self.skip(",") {
                return None;
            }
        }
        if !self.skip("end") || !self.skip(")") || !self.skip("(") {
            return None;
        }
        let value = self.term(depth)?;
        self.skip(")")
            .then(|| Expression::Changed(calls, Box::new(value)))
    }

    /// `-(1 bsl 1023) + 1`.
    fn negative_power(&mut self) -> Option<Expression> {
        let start = self.rest;
        self.skip_past(')')?;
        self.skip_summand();
        self.since(start).map(Expression::Number)
    }

    /// Skips ` + 1` or ` - 1`.
    fn skip_summand(&mut self) {
        for sign in [" + ", " - "] {
            if let Some(rest) = self.rest.strip_prefix(sign) {
                self.rest = rest;
                self.take_while(|it| it.is_ascii_digit());
            }
        }
    }

    /// The text between an earlier place and this one.
    fn since(&self, start: &str) -> Option<String> {
        let length = start.len() - self.rest.len();
        start.get(..length).map(str::to_owned)
    }

    fn bits(&mut self) -> Option<String> {
        let start = self.rest;
        while !self.rest.starts_with(">>") {
            match self.rest.chars().next()? {
                quote @ '"' => {
                    self.quoted(quote)?;
                }
                other => self.rest = self.rest.get(other.len_utf8()..)?,
            }
        }
        self.rest = self.rest.get(2..)?;
        self.since(start)
    }

    /// Parts with commas between them, up to the end.
    fn separated<T>(
        &mut self,
        end: &str,
        mut part: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut parts = Vec::new();
        if self.skip(end) {
            return Some(parts);
        }
        loop {
            parts.push(part(self)?);
            if self.skip(end) {
                return Some(parts);
            }
            if !self.skip(",") {
                return None;
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Expression> {
        let mut elements = Vec::new();
        if self.skip("]") {
            return Some(Expression::List(elements, None));
        }
        loop {
            elements.push(self.term(depth)?);
            if self.skip("]") {
                return Some(Expression::List(elements, None));
            }
            if self.skip("|") {
                let tail = Box::new(self.term(depth)?);
                return self
                    .skip("]")
                    .then_some(Expression::List(elements, Some(tail)));
            }
            if !self.skip(",") {
                return None;
            }
        }
    }

    fn map(&mut self, depth: usize) -> Option<Expression> {
        let pairs = self.separated("}", |it| {
            let key = it.term(depth)?;
            if key == Expression::Cut {
                return Some((key, Expression::Cut));
            }
            it.skip("=>").then_some(())?;
            Some((key, it.term(depth)?))
        });
        pairs.map(Expression::Map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn funs_and_calls_are_read() {
        let texts = [
            "fun(1, \"a\") -> fun(_) -> 'end' end; (_, _) -> 0 end",
            "fun(X1) when X1 =:= #{} -> 1; (_) -> 0 end",
            "fun({F1,X2}, 1) when is_function(F1, 1), X2 =:= #{} -> 1; (_, _) -> 0 end",
            "fun() -> 5 end",
            "queue:in(0,queue:new())",
            "element(2,'Elixir.M':new([]))",
            "(fun(X) -> m:put(X,1), m:put(X,2), X end)(m:new())",
            "[1,...]",
            "#{a => 1,...}",
        ];
        for text in texts {
            assert!(read_expression(text).is_some(), "{text}");
        }
        let function = read_function("'Elixir.A.B':'odd name'/2");
        let name = FunctionName {
            module: "'Elixir.A.B'".to_owned(),
            name: "'odd name'".to_owned(),
            arity: 2,
        };
        assert_eq!(function, Some(name));
    }
}
