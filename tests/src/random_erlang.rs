//! Random functions in Erlang: overlapping clauses, guards, nested data, recursion.
//!
//! Every function ends on every input: it calls itself only with parts of its argument, and calls
//! only functions that stand before it.

use std::fmt::Write;

use erlang_term::{Integer, Term};

use crate::random_programs::{Random, module_of};

const ATOMS: [&str; 3] = ["a", "b", "ok"];
const COMPARISONS: [&str; 8] = ["==", "/=", "=:=", "=/=", "<", ">", "=<", ">="];
const TESTS: [&str; 7] = [
    "is_atom",
    "is_integer",
    "is_list",
    "is_tuple",
    "is_number",
    "is_boolean",
    "is_binary",
];

/// A module with functions `f0/1`, `f1/1` and so on.
pub fn module(name: &str, functions: usize, random: &mut Random) -> String {
    module_of(name, functions, |number| {
        let mut writer = FunctionWriter {
            random,
            number,
            variables: 0,
        };
        writer.function()
    })
}

/// A random value of at most this depth, made of values that the functions compare with.
pub fn value(random: &mut Random, depth: usize) -> Term {
    match random.below(if depth == 0 { 5 } else { 11 }) {
        0 | 1 => Term::atom(random.pick::<&str>(&ATOMS)),
        2 => Term::Integer(Integer::from(random.below(6) as i64 - 1)),
        3 => Term::list([]),
        4 => match random.below(4) {
            0 => Term::atom("true"),
            1 => Term::binary(*b"x"),
            2 => Term::Float(1.5),
            _ => Term::Integer(Integer::from(100)),
        },
        5..=8 => {
            let head = value(random, depth - 1);
            let tail = if random.chance(80) {
                list_of(random, depth - 1)
            } else {
                value(random, depth - 1)
            };
            Term::list_before(vec![head], tail)
        }
        size => {
            let size = size - 8;
            Term::Tuple((0..size).map(|_| value(random, depth - 1)).collect())
        }
    }
}

/// A list of at most this depth.
fn list_of(random: &mut Random, depth: usize) -> Term {
    if depth == 0 || random.chance(40) {
        return Term::list([]);
    }
    let head = value(random, depth - 1);
    let tail = list_of(random, depth - 1);
    Term::list_before(vec![head], tail)
}

struct FunctionWriter<'random> {
    random: &'random mut Random,
    /// The number of the function.
    number: usize,
    /// How many variables it has so far.
    variables: usize,
}

/// The variables that can be used.
#[derive(Clone, Default)]
struct ClauseScope {
    all: Vec<String>,
    /// Those that are proper parts of the argument.
    parts: Vec<String>,
}

impl FunctionWriter<'_> {
    fn function(&mut self) -> String {
        let mut text = String::new();
        let count = 1 + self.random.below(4);
        for index in 0..count {
            let mut scope = ClauseScope::default();
            let pattern = self.pattern(2, true, &mut scope);
            let guard = self.guards(&scope);
            let body = self.body(2, &scope);
            let end = if index + 1 == count { ".\n" } else { ";\n" };
            let _ = write!(
                text,
                "f{}({pattern}){guard} ->\n    {body}{end}",
                self.number
            );
        }
        text
    }

    fn variable(&mut self, is_whole: bool, scope: &mut ClauseScope) -> String {
        // Now and then the same variable twice, which is a comparison.
        if !scope.all.is_empty() && self.random.chance(12) {
            return self.random.pick(&scope.all).clone();
        }
        self.variables += 1;
        let name = format!("V{}", self.variables);
        scope.all.push(name.clone());
        if !is_whole {
            scope.parts.push(name.clone());
        }
        name
    }

    fn constant(&mut self) -> String {
        match self.random.below(5) {
            0 | 1 => (*self.random.pick(&ATOMS)).to_owned(),
            2 => "[]".to_owned(),
            _ => (self.random.below(6) as i64 - 1).to_string(),
        }
    }

    fn pattern(&mut self, depth: usize, is_whole: bool, scope: &mut ClauseScope) -> String {
        match self.random.below(if depth == 0 { 6 } else { 12 }) {
            0 => "_".to_owned(),
            1..=3 => self.variable(is_whole, scope),
            4 | 5 => self.constant(),
            6..=8 => {
                let head = self.pattern(depth - 1, false, scope);
                let tail = self.pattern(depth - 1, false, scope);
                format!("[{head}|{tail}]")
            }
            9 => {
                let inner = self.pattern(depth - 1, false, scope);
                format!("{{{inner}}}")
            }
            10 => {
                let tag = *self.random.pick(&ATOMS);
                let inner = self.pattern(depth - 1, false, scope);
                format!("{{{tag}, {inner}}}")
            }
            _ => {
                let first = self.pattern(depth - 1, false, scope);
                let second = self.pattern(depth - 1, false, scope);
                format!("{{{first}, {second}}}")
            }
        }
    }

    fn operand(&mut self, scope: &ClauseScope) -> String {
        if scope.all.is_empty() || self.random.chance(35) {
            return self.constant();
        }
        let variable = self.random.pick(&scope.all).clone();
        match self.random.below(12) {
            0 => format!("{variable} + {}", self.random.below(3)),
            1 => format!("{variable} - {}", self.random.below(3)),
            2 => format!("hd({variable})"),
            3 => format!("length({variable})"),
            4 => format!("element(1, {variable})"),
            5 => format!("abs({variable})"),
            6 => format!("tuple_size({variable})"),
            _ => variable,
        }
    }

    fn guard(&mut self, depth: usize, scope: &ClauseScope) -> String {
        match self.random.below(if depth == 0 { 6 } else { 10 }) {
            0..=3 => {
                let (left, right) = (self.operand(scope), self.operand(scope));
                let operator = *self.random.pick(&COMPARISONS);
                format!("{left} {operator} {right}")
            }
            4 | 5 => {
                let test = *self.random.pick(&TESTS);
                format!("{test}({})", self.operand(scope))
            }
            6 => {
                let (left, right) = (self.guard(depth - 1, scope), self.guard(depth - 1, scope));
                format!("({left} andalso {right})")
            }
            7 => {
                let (left, right) = (self.guard(depth - 1, scope), self.guard(depth - 1, scope));
                format!("({left} orelse {right})")
            }
            8 => format!("not ({})", self.guard(depth - 1, scope)),
            _ => {
                let (left, right) = (self.guard(depth - 1, scope), self.guard(depth - 1, scope));
                format!("{left}, {right}")
            }
        }
    }

    fn guards(&mut self, scope: &ClauseScope) -> String {
        if scope.all.is_empty() || self.random.chance(45) {
            return String::new();
        }
        let first = self.guard(1, scope);
        if self.random.chance(20) {
            let second = self.guard(1, scope);
            return format!(" when {first}; {second}");
        }
        format!(" when {first}")
    }

    fn body(&mut self, depth: usize, scope: &ClauseScope) -> String {
        let choice = self.random.below(if depth == 0 { 5 } else { 10 });
        match choice {
            0 => self.constant(),
            1 => self.operand(scope),
            2 if !scope.parts.is_empty() => {
                let part = self.random.pick(&scope.parts).clone();
                format!("f{}({part})", self.number)
            }
            3 if self.number > 0 && !scope.all.is_empty() => {
                let other = self.random.below(self.number);
                let argument = self.random.pick(&scope.all).clone();
                format!("f{other}({argument})")
            }
            5 | 6 => {
                let (left, right) = (self.body(depth - 1, scope), self.body(depth - 1, scope));
                format!("{{{left}, {right}}}")
            }
            7..=9 => self.case(depth - 1, scope),
            _ => self.operand(scope),
        }
    }

    fn case(&mut self, depth: usize, scope: &ClauseScope) -> String {
        let argument = self.operand(scope);
        let mut text = format!("case {argument} of\n");
        let count = 1 + self.random.below(3);
        for index in 0..count {
            let mut inner = scope.clone();
            let known = inner.all.len();
            let pattern = self.pattern(1, true, &mut inner);
            let guard = self.guards(&inner);
            let body = self.body(depth, &inner);
            inner.all.truncate(known);
            let end = if index + 1 == count { "\n" } else { ";\n" };
            let _ = write!(text, "        {pattern}{guard} -> {body}{end}");
        }
        text.push_str("    end");
        text
    }
}
