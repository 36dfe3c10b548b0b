//! The default depth limit for arguments.

use std::collections::HashSet;

use erlang_term::{Atom, Term};
use flattener::flat::visit::{
    Visitor, visit_guards, walk_guard, walk_operation, walk_pattern, walk_statement,
};
use flattener::flat::{
    Bound, Clause, Function, Guard, GuardClause, GuardOperator, Operation, Pattern, Statement,
    Value, VarId, references,
};

use super::text_lengths::{joined_words, shortest_match, splits_texts};

/// The smallest default.
const USUAL_DEPTH: u32 = 4;

/// What makes an atom of a list of characters.
const ATOM_MAKERS: [&str; 2] = ["list_to_atom", "list_to_existing_atom"];

/// Deeper patterns count as this deep: a deeper search would not end.
const DEEPEST_PATTERN: u32 = 15;

/// How much may follow where a pattern has the beginning of a text, as in `"0x" ++ Digits`.
const BEHIND_TEXT: u32 = USUAL_DEPTH - 1;

/// Operators that compare two values.
const COMPARISONS: [&str; 8] = ["=:=", "=/=", "==", "/=", "<", ">", "=<", ">="];

/// Functions that compare a text with another one, or with parts of it.
const COMPARE_TEXTS: [(&str, &str); 6] = [
    ("lists", "prefix"),
    ("lists", "suffix"),
    ("string", "equal"),
    ("string", "find"),
    ("string", "prefix"),
    ("string", "str"),
];

/// Functions that compare a value with elements of a list, or with parts of these.
const SEARCH_LISTS: [(&str, &str); 4] = [
    ("lists", "keyfind"),
    ("lists", "keymember"),
    ("lists", "member"),
    ("proplists", "get_value"),
];

/// A limit that is deep enough for the seed inputs, and for what these functions compare values with:
/// patterns, literals, and numbers if they look at the length of a list; also for texts that they match
/// with regular expressions, or split into words.
pub(crate) fn usual_depth(seeds: &[Vec<Term>], functions: &[&Function]) -> u32 {
    let seeds = seeds.iter().flatten().map(|seed| seed.depth() + 2);
    let texts = Texts {
        make_atoms: calls(functions, |module, name| {
            module == "erlang" && ATOM_MAKERS.contains(&name)
        }),
        are_split: calls(functions, splits_texts),
    };
    let patterns = functions.iter().map(|it| deepest_pattern(it, texts));
    let patterns = patterns.map(|it| it.min(DEEPEST_PATTERN) + 1);
    USUAL_DEPTH.max(seeds.chain(patterns).max().unwrap_or(0))
}

/// What is done with texts anywhere.
#[derive(Clone, Copy)]
struct Texts {
    /// Atoms are made of lists, so an atom is as deep as the list of its characters.
    make_atoms: bool,
    /// They are split into words, so words are as deep as the text that has them all.
    are_split: bool,
}

/// Whether one of these functions calls such a function.
fn calls(functions: &[&Function], is_such: impl Fn(&str, &str) -> bool) -> bool {
    functions.iter().any(|function| {
        let named = references(&Atom::new(""), function);
        let mut named = named.iter();
        named.any(|(module, id)| is_such(module.as_str(), id.name.as_str()))
    })
}

/// How deep the deepest pattern in the clauses of a function is.
fn deepest_pattern(function: &Function, texts: Texts) -> u32 {
    let mut depths = PatternDepths {
        function,
        texts,
        lengths: HashSet::new(),
        level: 0,
        deepest: 0,
    };
    depths.visit_fun(&function.fun);
    depths.deepest
}

struct PatternDepths<'flat> {
    function: &'flat Function,
    texts: Texts,
    /// Variables that hold the length of a list.
    lengths: HashSet<VarId>,
    /// How many patterns are around this one.
    level: u32,
    deepest: u32,
}

impl PatternDepths<'_> {
    fn reach(&mut self, depth: u32) {
        self.deepest = self.deepest.max(depth);
    }

    /// Two values are compared, one of which may be a literal.
    fn compare(&mut self, values: [&Compared<'_>; 2]) {
        match values {
            [Compared::Length, Compared::Literal(term)]
            | [Compared::Literal(term), Compared::Length] => {
                let length = term.as_i64().and_then(|it| u32::try_from(it).ok());
                self.reach(length.unwrap_or(0));
            }
            [Compared::Other, Compared::Literal(term)]
            | [Compared::Literal(term), Compared::Other] => self.reach(term.depth()),
            _ => {}
        }
    }

    fn compared<'value>(&self, value: &'value Value) -> Compared<'value> {
        match value {
            Value::Literal(term) => Compared::Literal(term),
            Value::Variable(variable) if self.lengths.contains(variable) => Compared::Length,
            Value::Variable(_) | Value::Function(_) | Value::Cons(_) | Value::Tuple(_) => {
                Compared::Other
            }
        }
    }

    fn compared_in_guard<'guard>(&self, guard: &'guard Guard) -> Compared<'guard> {
        if let Guard::Value(value) = guard {
            return self.compared(value);
        }
        if is_length(guard) {
            return Compared::Length;
        }
        Compared::Other
    }

    /// The texts that a call compares its other arguments with.
    fn reach_texts(&mut self, module: &str, name: &str, arguments: &[Value]) {
        let literals = arguments.iter().filter_map(Value::as_literal);
        if COMPARE_TEXTS.contains(&(module, name)) {
            literals.for_each(|it| self.reach(it.depth()));
        } else if SEARCH_LISTS.contains(&(module, name)) {
            let elements = literals.filter_map(Term::as_list).flatten();
            elements.for_each(|it| self.reach(it.depth()));
        }
    }

    /// The regular expression of a call.
    fn reach_match(&mut self, module: &str, name: &str, arguments: &[Value]) {
        let literals = [0, 1].map(|at| arguments.get(at).and_then(Value::as_literal));
        self.reach(shortest_match(module, name, literals).unwrap_or(0));
    }

    /// The numbers that the length of a list is compared with by the clauses of a `case`.
    fn reach_lengths(&mut self, arguments: &[Value], clauses: &[Clause]) {
        let [argument] = arguments else { return };
        for clause in clauses {
            if let [Pattern::Literal(term)] = clause.patterns.as_slice() {
                let compared = self.compared(argument);
                self.compare([&compared, &Compared::Literal(term)]);
            }
        }
    }
}

/// How many characters a text begins with in a pattern, if more may follow; `None` for less than two,
/// which any list may have.
fn begun_text(pattern: &Pattern) -> Option<u32> {
    let mut length = 0;
    let mut rest = pattern;
    while let Pattern::Cons(parts) = rest {
        if !matches!(&parts.0, Pattern::Literal(term) if term.as_i64().is_some()) {
            break;
        }
        length += 1;
        rest = &parts.1;
    }
    (length > 1 && matches!(rest, Pattern::Variable(_))).then_some(length)
}

/// A value that is compared with another one.
enum Compared<'flat> {
    Length,
    Literal(&'flat Term),
    Other,
}

/// Whether a part of a guard is the length of a list.
fn is_length(guard: &Guard) -> bool {
    matches!(guard, Guard::Call(call) if is_call(&call.operator, &["length"]))
}

/// Whether one of these functions of `erlang` is called.
fn is_call(operator: &GuardOperator, names: &[&str]) -> bool {
    matches!(operator, GuardOperator::Call(module, name)
        if module.as_str() == "erlang" && names.contains(&name.as_str()))
}

impl<'flat> Visitor<'flat> for PatternDepths<'flat> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    fn visit_statement(&mut self, statement: &'flat Statement) {
        let callee = statement.operation.remote_callee();
        let is_length = callee.is_some_and(|(module, function)| {
            (module.as_str(), function.name.as_str()) == ("erlang", "length")
        });
        if let (true, Bound::Variables(variables)) = (is_length, &statement.bound) {
            self.lengths.extend(variables);
        }
        walk_statement(self, statement);
    }

    fn visit_operation(&mut self, operation: &'flat Operation) {
        if let Operation::Case { arguments, clauses } = operation {
            self.reach_lengths(arguments, clauses);
        }
        if let Operation::Call { arguments, .. } = operation
            && let Some((module, function)) = operation.remote_callee()
        {
            let name = function.name.as_str();
            if let [left, right] = arguments.as_slice()
                && module.as_str() == "erlang"
                && COMPARISONS.contains(&name)
            {
                let (left, right) = (self.compared(left), self.compared(right));
                self.compare([&left, &right]);
            }
            self.reach_texts(module.as_str(), name, arguments);
            self.reach_match(module.as_str(), name, arguments);
        }
        walk_operation(self, operation);
    }

    fn visit_guard(&mut self, guard: &'flat Guard) {
        if let Guard::Let(node) = guard
            && is_length(&node.argument)
        {
            self.lengths.extend(&node.variables);
        }
        if let Guard::Call(call) = guard
            && let [left, right] = call.arguments.as_slice()
            && is_call(&call.operator, &COMPARISONS)
        {
            let (left, right) = (self.compared_in_guard(left), self.compared_in_guard(right));
            self.compare([&left, &right]);
        }
        walk_guard(self, guard);
    }

    /// What a guard makes of its parts is compared with `true` and `false` alone.
    fn visit_guard_clause(&mut self, clause: &'flat GuardClause) {
        visit_guards(self, [&clause.guard, &clause.body]);
    }

    fn visit_pattern(&mut self, pattern: &'flat Pattern) {
        if self.texts.are_split
            && let Some(length) = joined_words(pattern)
        {
            self.reach(self.level + length);
        }
        match pattern {
            Pattern::Cons(_) | Pattern::Tuple(_) | Pattern::Map(_) => {
                // The first cell of a list looks at all.
                if let Some(length) = begun_text(pattern) {
                    self.reach(self.level + length + BEHIND_TEXT);
                }
                self.level += 1;
                self.reach(self.level);
                walk_pattern(self, pattern);
                self.level -= 1;
            }
            Pattern::Literal(term) => {
                self.reach(self.level + term.depth());
                if let Some(atom) = term.as_atom().filter(|_| self.texts.make_atoms) {
                    self.reach(u32::try_from(atom.chars().count()).unwrap_or(u32::MAX));
                }
            }
            Pattern::Alias(_) => walk_pattern(self, pattern),
            Pattern::Variable(_) | Pattern::Binary(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The default for a function of one argument, given as Core Erlang.
    fn depth(body: &str) -> u32 {
        let text = format!("module 'm' [] attributes []\n'f'/1 = fun (X) -> {body}\nend");
        let module = flattener::parse_module(&text).expect("it is a module");
        let module = flattener::flatten(module).expect("it is a program");
        usual_depth(&[], &module.functions.iter().collect::<Vec<_>>())
    }

    fn case(clause: &str) -> String {
        format!("case X of {clause} <Y> when 'true' -> 'b' end")
    }

    #[test]
    fn patterns_count() {
        assert_eq!(depth("X"), 4);
        assert_eq!(depth(&case("<[1,2,A,B,C]> when 'true' -> 'a'")), 6);
        assert_eq!(depth(&case("<[48|[120|Rest]]> when 'true' -> Rest")), 6);
        assert_eq!(depth(&case("<[48|Rest]> when 'true' -> Rest")), 4);
    }

    #[test]
    fn literals_that_values_are_compared_with_count() {
        assert_eq!(depth("call 'erlang':'=:='(X,\"hello\")"), 6);
        assert_eq!(depth("call 'lists':'prefix'(\"hello\",X)"), 6);
        assert_eq!(depth("call 'lists':'member'(X,[\"hi\",\"hello\"])"), 6);
        assert_eq!(depth("call 'io':'format'(\"hello world\",X)"), 4);
    }

    #[test]
    fn texts_that_are_split_or_matched_count() {
        let split = "call 'string':'lexemes'(X,\",\")";
        let words = |pattern: &str| {
            format!("case {split} of <{pattern}> when 'true' -> 'a' <Y> when 'true' -> 'b' end")
        };
        assert_eq!(depth(&words("[\"set\"|[A|[B|[]]]]")), 8);
        assert_eq!(depth(&words("[\"on\",\"off\"]")), 7);
        assert_eq!(depth(&words("[A|[2|[29|[]]]]")), 7);
        assert_eq!(depth(&words("[97,98,99]")), 4);
        assert_eq!(depth(&case("<[\"on\",\"off\"]> when 'true' -> 'a'")), 6);
        let run = "call 're':'run'(X,\"^[a-z]{8,}$\",['global'])";
        assert_eq!(depth(run), 9);
    }

    #[test]
    fn lengths_count() {
        let guard = "call 'erlang':'>'(call 'erlang':'length'(Y),7)";
        assert_eq!(depth(&case(&format!("<Y> when {guard} -> 'a'"))), 8);
        let body = "let <L> = call 'erlang':'length'(X) in \
                    case L of <6> when 'true' -> 'a' <M> when 'true' -> 'b' end";
        assert_eq!(depth(body), 7);
        assert_eq!(depth("call 'erlang':'>'(X,70)"), 4);
    }
}
