//! From syntax tree to text that parses back to the same tree.
//!
//! The text is made for reading: one binding per line, bodies of clauses and funs indented. A chain
//! of `let`s stays at one indentation, so the text of a long chain is as long as the chain, not
//! its square.

use std::fmt::{self, Write};

use erlang_term::{write_core_string, write_float, write_quoted};

use crate::ast::{
    Annotations, Attribute, Binary, Cons, Constant, CoreClause, CoreFun, CoreModule, CorePattern,
    Definition, Expr, ExternalFun, FunctionName, Let, Letrec, Literal, LiteralValue, Map,
    MapOperator, Meta, PatternBinary, PatternCons, PatternMap, Receive, Try, Variable, deep,
};

/// Which annotations to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// All of them.
    Full,
    /// Those that the compiler needs: the names of funs, and the positions in stack traces.
    Code,
    /// Those for people: all but source positions and similar.
    Readable,
}

/// Indentation stops growing here; deeper code is rare and must not make the text quadratic.
const MAX_INDENT: usize = 60;
const INDENT: usize = 2;

/// The text of a module.
pub fn print_module(module: &CoreModule, detail: Detail) -> String {
    let mut printer = Printer {
        out: String::new(),
        indent: 0,
        detail,
    };
    printer
        .module(module)
        .expect("writing to a string cannot fail");
    printer.out
}

struct Printer {
    out: String,
    indent: usize,
    detail: Detail,
}

impl Printer {
    fn module(&mut self, module: &CoreModule) -> fmt::Result {
        self.annotated(&module.meta, |printer| {
            printer.out.write_str("module ")?;
            printer.atom(module.name.as_str())?;
            printer.out.write_str(" [")?;
            printer.separated(&module.exports, ",\n        ", Self::function_name)?;
            printer.out.write_str("]\n    attributes [")?;
            printer.separated(&module.attributes, ",\n        ", Self::attribute)?;
            printer.out.write_str("]")?;
            for definition in &module.definitions {
                printer.out.write_str("\n\n")?;
                printer.definition(definition)?;
            }
            printer.out.write_str("\n\nend")
        })?;
        self.out.write_str("\n")
    }

    fn attribute(&mut self, attribute: &Attribute) -> fmt::Result {
        self.annotated(&attribute.key.meta, |printer| {
            printer.literal(&attribute.key.value)
        })?;
        self.out.write_str(" = ")?;
        self.expr(&attribute.value)
    }

    fn definition(&mut self, definition: &Definition) -> fmt::Result {
        self.function_name(&definition.name)?;
        self.out.write_str(" = ")?;
        self.annotated(&definition.fun.meta, |printer| printer.fun(&definition.fun))
    }

    fn function_name(&mut self, name: &FunctionName) -> fmt::Result {
        self.annotated(&name.meta, |printer| {
            printer.atom(name.name.as_str())?;
            write!(printer.out, "/{}", name.arity)
        })
    }

    /// A node, in parentheses with its annotations if it has some.
    fn annotated(
        &mut self,
        meta: &Meta,
        phrase: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> fmt::Result {
        let detail = self.detail;
        let shown = |constant: &&Constant| detail != Detail::Readable || has_meaning(constant);
        let mut notes = meta.annotations.as_slice().iter().filter(shown).peekable();
        if notes.peek().is_none() {
            return phrase(self);
        }
        self.out.write_str("( ")?;
        phrase(self)?;
        self.out.write_str(" -| [")?;
        for (index, note) in notes.enumerate() {
            self.out.write_str(if index == 0 { "" } else { "," })?;
            self.constant(note)?;
        }
        self.out.write_str("] )")
    }

    /// The same for a node that is not code by itself.
    fn described(
        &mut self,
        meta: &Meta,
        phrase: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> fmt::Result {
        match self.detail {
            Detail::Code => phrase(self),
            Detail::Full | Detail::Readable => self.annotated(meta, phrase),
        }
    }

    fn separated<T>(
        &mut self,
        items: &[T],
        separator: &str,
        mut one: impl FnMut(&mut Self, &T) -> fmt::Result,
    ) -> fmt::Result {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.write_str(separator)?;
            }
            one(self, item)?;
        }
        Ok(())
    }

    fn newline(&mut self) -> fmt::Result {
        self.out.write_char('\n')?;
        for _ in 0..self.indent.min(MAX_INDENT) {
            self.out.write_char(' ')?;
        }
        Ok(())
    }

    /// A node on a line of its own, one indentation further.
    fn indented(&mut self, phrase: impl FnOnce(&mut Self) -> fmt::Result) -> fmt::Result {
        self.indent += INDENT;
        self.newline()?;
        let result = phrase(self);
        self.indent -= INDENT;
        result
    }

    fn atom(&mut self, text: &str) -> fmt::Result {
        write_quoted(&mut self.out, text, '\'')
    }

    fn literal(&mut self, value: &LiteralValue) -> fmt::Result {
        match value {
            LiteralValue::Integer(integer) => write!(self.out, "{integer}"),
            LiteralValue::Float(float) => write_float(&mut self.out, *float),
            LiteralValue::Atom(atom) => self.atom(atom.as_str()),
            LiteralValue::Char(code) => self.character(*code),
            LiteralValue::String(text) => write_core_string(&mut self.out, text),
            LiteralValue::Nil => self.out.write_str("[]"),
        }
    }

    fn character(&mut self, code: u32) -> fmt::Result {
        match char::from_u32(code) {
            Some(plain @ '!'..='~') if plain != '\\' => write!(self.out, "${plain}"),
            // OTP's scanner reads bytes: beyond ASCII it needs the escape, where there is one.
            Some(_) if code <= 0o777 => write!(self.out, "$\\{code:03o}"),
            Some(other) => write!(self.out, "${other}"),
            None => write!(self.out, "{code}"),
        }
    }

    fn constant(&mut self, constant: &Constant) -> fmt::Result {
        deep(|| match constant {
            Constant::Atomic(value) => self.literal(value),
            Constant::Tuple(elements) => {
                self.out.write_char('{')?;
                self.separated(elements, ",", Self::constant)?;
                self.out.write_char('}')
            }
            Constant::List(list) => {
                if self.detail == Detail::Readable
                    && let Some(text) = constant.to_text()
                    && text
                        .bytes()
                        .all(|byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~'))
                {
                    return write_quoted(&mut self.out, &text, '"');
                }
                self.out.write_char('[')?;
                for (index, element) in list.elements.iter().enumerate() {
                    self.out.write_str(if index == 0 { "" } else { "," })?;
                    self.constant(element)?;
                }
                if let Some(tail) = &list.tail {
                    self.out.write_char('|')?;
                    self.constant(tail)?;
                }
                self.out.write_char(']')
            }
            Constant::Map(pairs) => {
                self.out.write_str("~{")?;
                self.separated(pairs, ",", |printer, (key, value)| {
                    printer.constant(key)?;
                    printer.out.write_str("=>")?;
                    printer.constant(value)
                })?;
                self.out.write_str("}~")
            }
        })
    }

    fn variable(&mut self, variable: &Variable) -> fmt::Result {
        self.described(&variable.meta, |printer| {
            printer.out.write_str(&variable.name)
        })
    }

    fn variables(&mut self, variables: &[Variable]) -> fmt::Result {
        self.out.write_char('<')?;
        self.separated(variables, ",", Self::variable)?;
        self.out.write_char('>')
    }

    fn expr(&mut self, expr: &Expr) -> fmt::Result {
        deep(|| {
            let (meta, phrase) = (expr.meta(), |printer: &mut Self| printer.bare_expr(expr));
            if becomes_code(expr) {
                self.annotated(meta, phrase)
            } else {
                self.described(meta, phrase)
            }
        })
    }

    fn exprs(&mut self, open: &str, elements: &[Expr], close: &str) -> fmt::Result {
        self.out.write_str(open)?;
        self.separated(elements, ",", Self::expr)?;
        self.out.write_str(close)
    }

    fn bare_expr(&mut self, expr: &Expr) -> fmt::Result {
        match expr {
            Expr::Variable(variable) => self.out.write_str(&variable.name),
            Expr::Literal(literal) => self.literal(&literal.value),
            Expr::Constant(constant) => self.constant(&constant.value),
            Expr::FunctionName(name) => {
                self.atom(name.name.as_str())?;
                write!(self.out, "/{}", name.arity)
            }
            Expr::ExternalFun(fun) => self.external_fun(fun),
            Expr::Cons(cons) => self.cons(cons),
            Expr::Tuple(tuple) => self.exprs("{", &tuple.elements, "}"),
            Expr::Map(map) => self.map(map),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Values(values) => self.exprs("<", &values.elements, ">"),
            Expr::Fun(fun) => self.fun(fun),
            Expr::Let(node) => self.let_in(node),
            Expr::Letrec(node) => self.letrec(node),
            Expr::Sequence(node) => {
                self.out.write_str("do")?;
                self.argument(&node.first)?;
                self.newline()?;
                self.expr(&node.second)
            }
            Expr::Case(node) => {
                self.out.write_str("case")?;
                self.argument(&node.argument)?;
                self.out.write_str(" of")?;
                self.clauses(&node.clauses)?;
                self.newline()?;
                self.out.write_str("end")
            }
            Expr::Apply(node) => {
                self.out.write_str("apply ")?;
                self.expr(&node.operator)?;
                self.exprs("(", &node.arguments, ")")
            }
            Expr::Call(node) => {
                self.out.write_str("call ")?;
                self.expr(&node.module)?;
                self.out.write_char(':')?;
                self.expr(&node.name)?;
                self.exprs("(", &node.arguments, ")")
            }
            Expr::Primop(node) => {
                self.out.write_str("primop ")?;
                self.annotated(&node.name.meta, |printer| printer.literal(&node.name.value))?;
                self.exprs("(", &node.arguments, ")")
            }
            Expr::Try(node) => self.try_of(node),
            Expr::Catch(node) => {
                self.out.write_str("catch")?;
                self.indented(|printer| printer.expr(&node.body))
            }
            Expr::Receive(node) => self.receive(node),
        }
    }

    fn let_in(&mut self, node: &Let) -> fmt::Result {
        self.out.write_str("let ")?;
        self.variables(&node.variables)?;
        self.out.write_str(" =")?;
        self.argument(&node.argument)?;
        self.out.write_str(" in")?;
        self.newline()?;
        self.expr(&node.body)
    }

    fn letrec(&mut self, node: &Letrec) -> fmt::Result {
        self.out.write_str("letrec")?;
        for definition in &node.definitions {
            self.indented(|printer| printer.definition(definition))?;
        }
        self.newline()?;
        self.out.write_str("in")?;
        self.newline()?;
        self.expr(&node.body)
    }

    fn try_of(&mut self, node: &Try) -> fmt::Result {
        self.out.write_str("try")?;
        self.indented(|printer| printer.expr(&node.argument))?;
        self.newline()?;
        self.out.write_str("of ")?;
        self.variables(&node.variables)?;
        self.out.write_str(" ->")?;
        self.indented(|printer| printer.expr(&node.body))?;
        self.newline()?;
        self.out.write_str("catch ")?;
        self.variables(&node.exception_variables)?;
        self.out.write_str(" ->")?;
        self.indented(|printer| printer.expr(&node.handler))
    }

    fn receive(&mut self, node: &Receive) -> fmt::Result {
        self.out.write_str("receive")?;
        self.clauses(&node.clauses)?;
        self.newline()?;
        self.out.write_str("after")?;
        self.argument(&node.timeout)?;
        self.out.write_str(" ->")?;
        self.indented(|printer| printer.expr(&node.action))
    }

    /// A space and an expression; an expression of several lines begins on a new line.
    fn argument(&mut self, expr: &Expr) -> fmt::Result {
        let spans_lines = matches!(
            expr,
            Expr::Let(_)
                | Expr::Letrec(_)
                | Expr::Sequence(_)
                | Expr::Case(_)
                | Expr::Try(_)
                | Expr::Catch(_)
                | Expr::Receive(_)
                | Expr::Fun(_)
        );
        if spans_lines {
            return self.indented(|printer| printer.expr(expr));
        }
        self.out.write_char(' ')?;
        self.expr(expr)
    }

    fn fun(&mut self, fun: &CoreFun) -> fmt::Result {
        self.out.write_str("fun (")?;
        self.separated(&fun.parameters, ",", Self::variable)?;
        self.out.write_str(") ->")?;
        self.indented(|printer| printer.expr(&fun.body))
    }

    fn external_fun(&mut self, fun: &ExternalFun) -> fmt::Result {
        self.out.write_str("fun ")?;
        self.atom(fun.module.as_str())?;
        self.out.write_char(':')?;
        self.atom(fun.name.as_str())?;
        write!(self.out, "/{}", fun.arity)
    }

    /// Prints `[A,B|T]`, following tails without annotations in a loop: lists may be very long.
    fn cons(&mut self, cons: &Cons) -> fmt::Result {
        self.out.write_char('[')?;
        self.expr(&cons.head)?;
        let mut tail = &cons.tail;
        while let Expr::Cons(more) = tail
            && self.is_bare(&more.meta.annotations)
        {
            self.out.write_char(',')?;
            self.expr(&more.head)?;
            tail = &more.tail;
        }
        if !matches!(tail, Expr::Literal(literal) if self.is_bare_nil(literal)) {
            self.out.write_char('|')?;
            self.expr(tail)?;
        }
        self.out.write_char(']')
    }

    fn is_bare(&self, annotations: &Annotations) -> bool {
        match self.detail {
            Detail::Full => annotations.is_empty(),
            Detail::Code => true,
            Detail::Readable => !annotations.as_slice().iter().any(has_meaning),
        }
    }

    fn is_bare_nil(&self, literal: &Literal) -> bool {
        literal.value == LiteralValue::Nil && self.is_bare(&literal.meta.annotations)
    }

    fn map(&mut self, map: &Map) -> fmt::Result {
        self.out.write_str("~{")?;
        self.separated(&map.pairs, ",", |printer, pair| {
            printer.described(&pair.meta, |printer| {
                printer.expr(&pair.key)?;
                printer.out.write_str(match pair.operator {
                    MapOperator::Assoc => "=>",
                    MapOperator::Exact => ":=",
                })?;
                printer.expr(&pair.value)
            })
        })?;
        if let Some(base) = &map.base {
            self.out.write_char('|')?;
            self.expr(base)?;
        }
        self.out.write_str("}~")
    }

    fn binary(&mut self, binary: &Binary) -> fmt::Result {
        self.out.write_str("#{")?;
        self.separated(&binary.segments, ",", |printer, segment| {
            printer.annotated(&segment.meta, |printer| {
                printer.out.write_str("#<")?;
                printer.expr(&segment.value)?;
                printer.out.write_char('>')?;
                printer.segment_type([&segment.size, &segment.unit, &segment.kind, &segment.flags])
            })
        })?;
        self.out.write_str("}#")
    }

    fn segment_type(&mut self, parts: [&Expr; 4]) -> fmt::Result {
        self.out.write_char('(')?;
        self.separated(&parts, ",", |printer, part| printer.expr(part))?;
        self.out.write_char(')')
    }

    fn clauses(&mut self, clauses: &[CoreClause]) -> fmt::Result {
        clauses.iter().try_for_each(|clause| {
            self.indented(|printer| {
                printer.described(&clause.meta, |printer| {
                    printer.out.write_char('<')?;
                    printer.separated(&clause.patterns, ",", Self::pattern)?;
                    printer.out.write_str("> when")?;
                    printer.argument(&clause.guard)?;
                    printer.out.write_str(" ->")?;
                    printer.indented(|printer| printer.expr(&clause.body))
                })
            })
        })
    }

    fn pattern(&mut self, pattern: &CorePattern) -> fmt::Result {
        deep(|| self.described(pattern.meta(), |printer| printer.bare_pattern(pattern)))
    }

    fn bare_pattern(&mut self, pattern: &CorePattern) -> fmt::Result {
        match pattern {
            CorePattern::Variable(variable) => self.out.write_str(&variable.name),
            CorePattern::Literal(literal) => self.literal(&literal.value),
            CorePattern::Constant(constant) => self.constant(&constant.value),
            CorePattern::Cons(cons) => self.pattern_cons(cons),
            CorePattern::Tuple(tuple) => {
                self.out.write_char('{')?;
                self.separated(&tuple.elements, ",", Self::pattern)?;
                self.out.write_char('}')
            }
            CorePattern::Map(map) => self.pattern_map(map),
            CorePattern::Binary(binary) => self.pattern_binary(binary),
            CorePattern::Alias(alias) => {
                self.variable(&alias.variable)?;
                self.out.write_str(" = ")?;
                self.pattern(&alias.pattern)
            }
        }
    }

    fn pattern_cons(&mut self, cons: &PatternCons) -> fmt::Result {
        self.out.write_char('[')?;
        self.pattern(&cons.head)?;
        let mut tail = &cons.tail;
        while let CorePattern::Cons(more) = tail
            && self.is_bare(&more.meta.annotations)
        {
            self.out.write_char(',')?;
            self.pattern(&more.head)?;
            tail = &more.tail;
        }
        if !matches!(tail, CorePattern::Literal(literal) if self.is_bare_nil(literal)) {
            self.out.write_char('|')?;
            self.pattern(tail)?;
        }
        self.out.write_char(']')
    }

    fn pattern_map(&mut self, map: &PatternMap) -> fmt::Result {
        self.out.write_str("~{")?;
        self.separated(&map.pairs, ",", |printer, pair| {
            printer.described(&pair.meta, |printer| {
                printer.expr(&pair.key)?;
                printer.out.write_str(":=")?;
                printer.pattern(&pair.value)
            })
        })?;
        self.out.write_str("}~")
    }

    fn pattern_binary(&mut self, binary: &PatternBinary) -> fmt::Result {
        self.out.write_str("#{")?;
        self.separated(&binary.segments, ",", |printer, segment| {
            printer.described(&segment.meta, |printer| {
                printer.out.write_str("#<")?;
                printer.pattern(&segment.value)?;
                printer.out.write_char('>')?;
                printer.segment_type([&segment.size, &segment.unit, &segment.kind, &segment.flags])
            })
        })?;
        self.out.write_str("}#")
    }
}

/// Whether the compiler uses the annotations of an expression: it may raise, or is a function.
fn becomes_code(expr: &Expr) -> bool {
    match expr {
        Expr::Apply(_)
        | Expr::Binary(_)
        | Expr::Call(_)
        | Expr::Fun(_)
        | Expr::Letrec(_)
        | Expr::Map(_)
        | Expr::Primop(_)
        | Expr::Receive(_) => true,
        Expr::Case(_)
        | Expr::Catch(_)
        | Expr::Cons(_)
        | Expr::Constant(_)
        | Expr::ExternalFun(_)
        | Expr::FunctionName(_)
        | Expr::Let(_)
        | Expr::Literal(_)
        | Expr::Sequence(_)
        | Expr::Try(_)
        | Expr::Tuple(_)
        | Expr::Values(_)
        | Expr::Variable(_) => false,
    }
}

/// Whether an annotation says more than where code comes from.
fn has_meaning(constant: &Constant) -> bool {
    let position = constant.as_position().is_some();
    let origin = match constant.as_tuple() {
        Some([tag, _]) => matches!(tag.as_atom(), Some("file" | "function")),
        _ => constant.as_atom() == Some("compiler_generated"),
    };
    !position && !origin
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::parse_module;

    const EVERYTHING: &str = r#"
( module 'it\'s' [( 'f'/1 -| [{1,2}] ),'g'/0]
    attributes [( 'file' -| [1] ) = [{[$a|"bc"],1}],'m' = ~{'k'=>1.5}~]
'f'/1 = ( fun (( X -| [{3,4},{'file',"a.erl"}] )) ->
  case <X,[]> of
    <( {Y,-1} -| ['compiler_generated'] ),A = [H,T|U]> when call 'erlang':'<'(Y,16#ff) ->
      let <V,W> = apply 'g'/0() in do primop 'p'(V) <W,H>
    ( <~{'a':=B,( {1}:=C -| [2] )}~,#{#<I>(8,1,'integer',['unsigned'|['big']])}#> when 'true' ->
      ( ~{( 'x'=>B -| [5] ),'y':=C|X}~ -| [9] ) -| [{10,1}] )
    <Z,_1> when try Z of <R> -> R catch <E1,E2> -> 'false' ->
      try call Z:'x'() of <> -> fun 'lists':'map'/2 catch <C1,C2,C3> -> #{#<1>(X,1,'integer',[])}#
  end -| [{2,1}] )
'g'/0 = fun () -> letrec 'l'/1 = fun (A) -> apply 'l'/1(A) in
   receive {'msg'} when 'true' -> catch 1.0e300
   after 'infinity' -> ( letrec in receive after 0 -> 123456789012345678901234567890 -| ['letrec_goto'] )
end -| ['note',~{1=>[2|3]}~] )
"#;

    #[test]
    fn prints_every_kind_of_node() {
        let module = parse_module(EVERYTHING).expect("the text is a module");
        insta::assert_snapshot!(print_module(&module, Detail::Full));
    }

    #[test]
    fn readable_text_has_no_positions() {
        let module = parse_module(EVERYTHING).expect("the text is a module");
        insta::assert_snapshot!(print_module(&module, Detail::Readable));
    }

    #[test]
    fn text_for_the_compiler_keeps_what_it_needs() {
        let module = parse_module(EVERYTHING).expect("the text is a module");
        insta::assert_snapshot!(print_module(&module, Detail::Code));
    }

    #[test]
    fn printed_text_parses_to_the_same_tree() {
        let module = parse_module(EVERYTHING).expect("the text is a module");
        let printed = print_module(&module, Detail::Full);
        assert_eq!(parse_module(&printed), Ok(module), "{printed}");
    }
}
