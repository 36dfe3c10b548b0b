//! Conditions and values as readable Erlang: `hd(X) > 3`, `X is {_,_}`.
//!
//! Long texts are cut: a condition on a long list could name all of its elements.

use super::arena::Graph;
use super::constant_terms::to_term;
use super::formula::Formula;
use super::ids::{Condition, NodeId};
use super::node::{Node, Pair, Place};
use super::operator::Operator;
use super::rounding::Rounding;
use crate::kinds::Kinds;

/// Values inside of values are written up to this depth.
const MOST_LEVELS: u32 = 12;

/// The text for what is skipped.
const SKIPPED: &str = "…";

/// Writes conditions as readable Erlang.
#[derive(Debug)]
pub struct Words<'run> {
    graph: &'run Graph,
    names: &'run [String],
    text: String,
    most: usize,
    is_full: bool,
    level: u32,
}

impl<'run> Words<'run> {
    /// Writes about `most` characters at most. Arguments without a name are `Arg1`, `Arg2` and so
    /// on.
    pub fn new(graph: &'run Graph, names: &'run [String], most: usize) -> Self {
        Self {
            graph,
            names,
            text: String::new(),
            most,
            is_full: false,
            level: 0,
        }
    }

    /// The text of conditions that all hold.
    pub fn conditions(mut self, conditions: &[Condition]) -> String {
        self.joined(conditions, " and ", Self::condition);
        self.finish()
    }

    fn finish(mut self) -> String {
        if self.is_full {
            self.text.push_str(SKIPPED);
        }
        self.text
    }

    fn word(&mut self, word: &str) {
        if self.is_full {
            return;
        }
        let room = self.most.saturating_sub(self.text.len());
        if word.len() <= room {
            self.text.push_str(word);
            return;
        }
        let mut end = room;
        while !word.is_char_boundary(end) {
            end -= 1;
        }
        self.text.push_str(word.get(..end).unwrap_or_default());
        self.is_full = true;
    }

    /// Writes something nested, unless it is nested too deep.
    fn nested(&mut self, write: impl FnOnce(&mut Self)) {
        if self.is_full {
            return;
        }
        if self.level >= MOST_LEVELS {
            self.word(SKIPPED);
            return;
        }
        self.level += 1;
        write(self);
        self.level -= 1;
    }

    fn joined<T: Copy>(&mut self, parts: &[T], between: &str, write: impl Fn(&mut Self, T)) {
        for (number, part) in parts.iter().enumerate() {
            if self.is_full {
                return;
            }
            if number > 0 {
                self.word(between);
            }
            write(self, *part);
        }
    }

    // ---- Conditions

    fn condition(&mut self, condition: Condition) {
        let graph = self.graph;
        let is_negated = condition.is_negated();
        let choose = |plain, negated| if is_negated { negated } else { plain };
        match graph.formula(condition) {
            Formula::True => self.word(choose("true", "false")),
            Formula::All(parts) if is_negated => {
                self.word("not (");
                self.nested(|words| words.joined(parts, " and ", Self::condition));
                self.word(")");
            }
            Formula::All(parts) => {
                self.nested(|words| words.joined(parts, " and ", Self::condition));
            }
            Formula::Kind(kinds, node) => {
                self.kinds(if is_negated { !*kinds } else { *kinds }, *node);
            }
            Formula::Arity(arity, node) => {
                self.node(*node);
                self.word(choose(" is {", " is not {"));
                let blanks = vec!["_"; *arity as usize];
                self.word(&blanks.join(","));
                self.word("}");
            }
            Formula::FunArity(arity, node) => {
                self.word(choose("", "not "));
                self.word("is_function(");
                self.node(*node);
                self.word(&format!(", {arity})"));
            }
            Formula::ProperList(node) => {
                self.node(*node);
                self.word(choose(" is a proper list", " is not a proper list"));
            }
            Formula::Member(_, node) => {
                self.node(*node);
                self.word(choose(" is of the type in the spec", " is of another type"));
            }
            Formula::Fields(_, node) => {
                self.node(*node);
                self.word(choose(
                    " has the fields of its type",
                    " does not have the fields of its type",
                ));
            }
            Formula::Utf8(_, node) => {
                self.node(*node);
                self.word(choose(" is UTF-8", " is not UTF-8"));
            }
            Formula::HasKey(key, map) => {
                self.word(choose("", "not "));
                self.call("is_map_key", &[*key, *map]);
            }
            Formula::Equal(left, right) => self.compared(*left, choose("=:=", "=/="), *right),
            Formula::Same(left, right) => self.compared(*left, choose("==", "/="), *right),
            Formula::Less(left, right) => self.less(*left, *right, is_negated),
            Formula::Before(left, right) => {
                self.node(*left);
                self.word(choose(" comes before ", " does not come before "));
                self.node(*right);
                self.word(" as a key");
            }
            Formula::TooLarge(operator, left, right) => {
                self.compared(*left, symbol(*operator), *right);
                self.word(choose(" is too large", " is not too large"));
            }
        }
    }

    fn compared(&mut self, left: NodeId, operator: &str, right: NodeId) {
        // Constants come on the right.
        let is_turned =
            self.graph.is_ground(left) && matches!(operator, "=:=" | "=/=" | "==" | "/=");
        let (left, right) = if is_turned {
            (right, left)
        } else {
            (left, right)
        };
        self.between(left, operator, right);
    }

    fn less(&mut self, left: NodeId, right: NodeId, is_negated: bool) {
        match (self.graph.is_ground(left), is_negated) {
            (true, false) => self.compared(right, ">", left),
            (true, true) => self.compared(right, "=<", left),
            (false, false) => self.compared(left, "<", right),
            (false, true) => self.compared(left, ">=", right),
        }
    }

    /// A value is of one of these kinds.
    fn kinds(&mut self, kinds: Kinds, node: NodeId) {
        if let Some(test) = kind_test(kinds) {
            self.tested(test, true, node);
        } else if let Some(test) = kind_test(!kinds) {
            self.tested(test, false, node);
        } else if kinds.each().count() > 6 {
            let others: Vec<Kinds> = (!kinds).each().collect();
            self.joined(&others, " and ", |words, kind| {
                words.kind(kind, false, node)
            });
        } else {
            let each: Vec<Kinds> = kinds.each().collect();
            let is_inside = self.level > 0;
            self.word(if is_inside { "(" } else { "" });
            self.joined(&each, " or ", |words, kind| words.kind(kind, true, node));
            self.word(if is_inside { ")" } else { "" });
        }
    }

    fn kind(&mut self, kind: Kinds, holds: bool, node: NodeId) {
        let test = kind_test(kind).unwrap_or("is_reference");
        self.tested(test, holds, node);
    }

    /// A built-in test, or a pattern.
    fn tested(&mut self, test: &str, holds: bool, node: NodeId) {
        if test.starts_with("is_") {
            self.word(if holds { "" } else { "not " });
            self.call(test, &[node]);
        } else {
            self.node(node);
            self.word(if holds { " is " } else { " is not " });
            self.word(test);
        }
    }

    // ---- Values

    fn call(&mut self, name: &str, arguments: &[NodeId]) {
        self.word(name);
        self.word("(");
        self.joined(arguments, ", ", Self::node);
        self.word(")");
    }

    fn node(&mut self, node: NodeId) {
        self.nested(|words| words.node_inside(node));
    }

    fn node_inside(&mut self, id: NodeId) {
        match self.graph.node(id) {
            Node::Input(number) => self.input(*number as usize),
            Node::Part(place, of) => self.part(*place, *of),
            Node::Cons(..) => self.list(id),
            Node::Tuple(elements) => {
                self.word("{");
                self.joined(elements, ",", Self::node);
                self.word("}");
            }
            Node::Map(pairs) => {
                self.word("#{");
                self.joined(pairs, ",", Self::pair);
                self.word("}");
            }
            Node::Put(map, key, value) => {
                self.node(*map);
                self.word("#{");
                self.pair((*key, *value));
                self.word("}");
            }
            Node::Without(map, key) => self.call("maps:remove", &[*key, *map]),
            Node::Arithmetic(operator, left, right) => {
                self.word("(");
                self.between(*left, symbol(*operator), *right);
                self.word(")");
            }
            Node::Rounded(rounding, number) => self.call(rounding_name(*rounding), &[*number]),
            Node::Length(list) => self.call("length", &[*list]),
            Node::TupleSize(tuple) => self.call("tuple_size", &[*tuple]),
            Node::MapSize(map) => self.call("map_size", &[*map]),
            Node::AtomOf(text) => self.call("list_to_atom", &[*text]),
            Node::Bits(_) => self.word("a bitstring"),
            Node::FloatOf(bits, _) => {
                self.word("the float with the bits ");
                self.node(*bits);
            }
            Node::Truth(condition) => {
                self.word("(");
                self.condition(*condition);
                self.word(")");
            }
            Node::Choice(condition, yes, no) => self.choice(*condition, *yes, *no),
            Node::Closure(_) | Node::Table(_) => self.word("a fun"),
            Node::Unknown(_) => self.word("an unknown value"),
            Node::Integer(_) | Node::Float(_) | Node::Atom(_) | Node::Nil | Node::Other(..) => {
                match to_term(self.graph, id) {
                    Some(term) => self.word(&term.to_string()),
                    None => self.word("a constant"),
                }
            }
        }
    }

    fn input(&mut self, number: usize) {
        match self.names.get(number) {
            Some(name) => self.word(name),
            None => self.word(&format!("Arg{}", number + 1)),
        }
    }

    fn choice(&mut self, condition: Condition, yes: NodeId, no: NodeId) {
        self.word("(");
        self.node(yes);
        self.word(" if ");
        self.condition(condition);
        self.word(", else ");
        self.node(no);
        self.word(")");
    }

    fn pair(&mut self, (key, value): Pair) {
        self.between(key, "=>", value);
    }

    fn between(&mut self, left: NodeId, operator: &str, right: NodeId) {
        self.node(left);
        self.word(&format!(" {operator} "));
        self.node(right);
    }

    /// Lists can be long, so this is a loop.
    fn list(&mut self, list: NodeId) {
        let graph = self.graph;
        self.word("[");
        let mut rest = list;
        let mut is_first = true;
        while let Node::Cons(head, tail) = graph.node(rest) {
            if self.is_full {
                return;
            }
            self.word(if is_first { "" } else { "," });
            self.node(*head);
            is_first = false;
            rest = *tail;
        }
        if *graph.node(rest) != Node::Nil {
            self.word("|");
            self.node(rest);
        }
        self.word("]");
    }

    fn part(&mut self, place: Place, of: NodeId) {
        match place {
            Place::Head | Place::Tail => self.list_part(place, of),
            Place::Element(index) => {
                self.word(&format!("element({}, ", index + 1));
                self.node(of);
                self.word(")");
            }
            Place::Text => self.call("atom_to_list", &[of]),
            Place::Value(key) => self.call("map_get", &[key, of]),
            Place::Key(index) => {
                self.word(&format!("key {} of ", index + 1));
                self.node(of);
            }
            Place::Result(arguments) => {
                self.node(of);
                self.word("(");
                if let Node::Tuple(arguments) = self.graph.node(arguments) {
                    self.joined(arguments, ", ", Self::node);
                }
                self.word(")");
            }
            Place::Default => {
                self.node(of);
                self.word("(_)");
            }
            Place::Bytes => self.call("byte_size", &[of]),
            Place::Unused => {
                self.word("unused bits of ");
                self.node(of);
            }
            Place::Byte(index) => {
                self.word("binary:at(");
                self.node(of);
                self.word(&format!(", {index})"));
            }
        }
    }

    /// The head or tail of a tail of a tail is `lists:nth` or `lists:nthtail`.
    fn list_part(&mut self, place: Place, of: NodeId) {
        let mut tails = 0;
        let mut list = of;
        while let Node::Part(Place::Tail, inner) = self.graph.node(list) {
            tails += 1;
            list = *inner;
        }
        let is_head = place == Place::Head;
        if tails == 0 {
            self.call(if is_head { "hd" } else { "tl" }, &[list]);
            return;
        }
        let name = if is_head { "nth" } else { "nthtail" };
        self.word(&format!("lists:{name}({}, ", tails + 1));
        self.node(list);
        self.word(")");
    }
}

/// The test or the pattern for some kinds, if there is one.
fn kind_test(kinds: Kinds) -> Option<&'static str> {
    const TESTS: &[(Kinds, &str)] = &[
        (Kinds::INTEGER, "is_integer"),
        (Kinds::FLOAT, "is_float"),
        (Kinds::NUMBER, "is_number"),
        (Kinds::ATOM, "is_atom"),
        (Kinds::REFERENCE, "is_reference"),
        (Kinds::FUN, "is_function"),
        (Kinds::PORT, "is_port"),
        (Kinds::PID, "is_pid"),
        (Kinds::TUPLE, "is_tuple"),
        (Kinds::MAP, "is_map"),
        (Kinds::NIL, "[]"),
        (Kinds::CONS, "[_|_]"),
        (Kinds::LIST, "is_list"),
        (Kinds::BINARY, "is_binary"),
        (
            Kinds::PARTIAL_BINARY,
            "a bitstring with an incomplete last byte",
        ),
        (Kinds::BITS, "is_bitstring"),
    ];
    let mut tests = TESTS.iter();
    tests.find(|it| it.0 == kinds).map(|it| it.1)
}

fn symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "div",
        Operator::Remainder => "rem",
        Operator::Modulo => "mod",
        Operator::Quotient => "/",
        Operator::And => "band",
        Operator::Or => "bor",
        Operator::Xor => "bxor",
        Operator::ShiftLeft => "bsl",
        Operator::ShiftRight => "bsr",
    }
}

fn rounding_name(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Truncate => "trunc",
        Rounding::Round => "round",
        Rounding::Floor => "floor",
        Rounding::Ceiling => "ceil",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(make: impl FnOnce(&mut Graph, NodeId) -> Condition) -> String {
        let mut graph = Graph::default();
        let input = graph.input(0);
        let condition = make(&mut graph, input);
        Words::new(&graph, &["X".to_owned()], 80).conditions(&[condition])
    }

    #[test]
    fn parts_are_named_as_erlang_names_them() {
        let third = text(|graph, x| {
            let third = graph.tail(x);
            let third = graph.tail(third);
            let third = graph.head(third);
            let three = graph.integer(3);
            graph.less(three, third)
        });
        assert_eq!(third, "lists:nth(3, X) > 3");
        let field = text(|graph, x| {
            let field = graph.element(1, x);
            let apple = graph.atom("apple");
            !graph.equal(apple, field)
        });
        assert_eq!(field, "element(2, X) =/= apple");
    }

    #[test]
    fn kinds_are_tests_or_patterns() {
        assert_eq!(text(|graph, x| graph.kind(Kinds::LIST, x)), "is_list(X)");
        assert_eq!(
            text(|graph, x| !graph.kind(Kinds::LIST, x)),
            "not is_list(X)"
        );
        assert_eq!(text(|graph, x| graph.kind(Kinds::CONS, x)), "X is [_|_]");
        assert_eq!(text(|graph, x| !graph.kind(Kinds::NIL, x)), "X is not []");
        assert_eq!(text(|graph, x| graph.arity(2, x)), "X is {_,_}");
        assert_eq!(
            text(|graph, x| !graph.proper_list(x)),
            "X is not a proper list"
        );
        assert_eq!(
            text(|graph, x| graph.kind(Kinds::PARTIAL_BINARY, x)),
            "X is a bitstring with an incomplete last byte"
        );
        let either = text(|graph, x| graph.kind(Kinds::ATOM | Kinds::MAP, x));
        assert_eq!(either, "is_atom(X) or is_map(X)");
    }

    #[test]
    fn arguments_without_a_name_have_a_number() {
        let mut graph = Graph::default();
        let second = graph.input(1);
        let condition = graph.kind(Kinds::ATOM, second);
        let text = Words::new(&graph, &[], 80).conditions(&[condition]);
        assert_eq!(text, "is_atom(Arg2)");
    }

    #[test]
    fn long_texts_are_cut_and_deep_values_end() {
        let long = text(|graph, x| {
            let ones: Vec<NodeId> = (0..1_000).map(|it| graph.integer(it)).collect();
            let ones = ones.iter();
            let list = ones.fold(NodeId::NIL, |rest, one| graph.cons(*one, rest));
            graph.equal(x, list)
        });
        assert!(long.ends_with('…') && long.len() < 90, "{long}");
        let deep = text(|graph, x| {
            let deep = (0..100_000).fold(x, |inner, _| graph.tuple([inner]));
            let other = graph.input(1);
            graph.less(other, deep)
        });
        assert!(deep.contains('…'), "{deep}");
    }
}
