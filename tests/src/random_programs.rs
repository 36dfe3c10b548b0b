//! Random programs of the paper's language (Figure 3), as Core Erlang text, and random inputs.
//!
//! Every function ends on every input. A function may call those after it with its first argument
//! or a tail of it, and any function with a proper tail of its first argument. So each call either
//! has a shorter list or goes to a later function. Every `case` ends with a clause that matches
//! everything.

use std::fmt::Write;

use erlang_term::Term;

/// A module with as many functions as wanted, each written by its number.
pub fn module_of(
    name: &str,
    functions: usize,
    mut function: impl FnMut(usize) -> String,
) -> String {
    let mut text =
        format!("-module({name}).\n-compile(export_all).\n-compile(nowarn_export_all).\n");
    for number in 0..functions {
        text.push('\n');
        text.push_str(&function(number));
    }
    text
}

/// Pseudo-random numbers (SplitMix64): the same for the same seed, on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers for a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a limit, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let number = self.next() % (limit as u64);
        usize::try_from(number).expect("it is below a number of this type")
    }

    /// True in this many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of some items.
    ///
    /// # Panics
    /// When there are no items.
    pub fn pick<'items, T>(&mut self, items: &'items [T]) -> &'items T {
        let index = self.below(items.len());
        items.get(index).expect("the index is below the length")
    }
}

/// What programs are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The paper's language, with guards and several values at once.
    Paper,
    /// Built-ins besides, and calls that always raise.
    WithBuiltIns,
}

/// The size of a program.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What it is made of.
    pub language: Language,
    /// How many modules it has.
    pub modules: usize,
    /// How many functions each of them has, all exported.
    pub functions: usize,
}

/// The modules of a random program, as Core Erlang text.
pub fn modules(random: &mut Random, shape: Shape) -> Vec<String> {
    let arities: Vec<Vec<usize>> = (0..shape.modules)
        .map(|_| (0..shape.functions).map(|_| 1 + random.below(3)).collect())
        .collect();
    let positions: Vec<Position> = arities
        .iter()
        .enumerate()
        .flat_map(|(module, arities)| {
            arities
                .iter()
                .enumerate()
                .map(move |(function, arity)| Position {
                    module,
                    function,
                    arity: *arity,
                })
        })
        .collect();
    (0..shape.modules)
        .map(|module| module_text(random, shape.language, &positions, module))
        .collect()
}

/// Arguments for a function with this many parameters.
pub fn input(random: &mut Random, arity: usize) -> Vec<Term> {
    (0..arity)
        .map(|index| {
            if index == 0 && random.chance(80) {
                let length = random.below(6);
                Term::list((0..length).map(|_| term(random, 2)))
            } else {
                term(random, 3)
            }
        })
        .collect()
}

const ATOMS: [&str; 4] = ["a", "b", "c", "true"];

// None of these is a printable character, so lists of them are not shown as strings.
const INTEGERS: [i64; 5] = [-1, 0, 1, 2, 3];

fn term(random: &mut Random, depth: usize) -> Term {
    let kinds = if depth == 0 { 6 } else { 12 };
    match random.below(kinds) {
        0..=2 => Term::atom(random.pick::<&str>(&ATOMS)),
        3..=4 => Term::Integer((*random.pick(&INTEGERS)).into()),
        5 => Term::list([]),
        6..=8 => {
            let elements = 1 + random.below(3);
            let elements = (0..elements).map(|_| term(random, depth - 1)).collect();
            let tail = if random.chance(85) {
                Term::list([])
            } else {
                term(random, 0)
            };
            Term::list_before(elements, tail)
        }
        _ => {
            let elements = random.below(4);
            Term::Tuple((0..elements).map(|_| term(random, depth - 1)).collect())
        }
    }
}

/// A function of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    module: usize,
    function: usize,
    arity: usize,
}

fn module_name(module: usize) -> String {
    format!("'random_{module}'")
}

fn module_text(
    random: &mut Random,
    language: Language,
    positions: &[Position],
    module: usize,
) -> String {
    let own = || {
        positions
            .iter()
            .filter(|position| position.module == module)
    };
    let exports: Vec<String> = own()
        .map(|position| format!("'f{}'/{}", position.function, position.arity))
        .collect();
    let mut text = format!(
        "module {} [{}]\n    attributes []\n",
        module_name(module),
        exports.join(",")
    );
    for me in own() {
        // Some have more events than fit in a byte.
        let size = match random.below(20) {
            0 => 150,
            1..=8 => 6 + random.below(10),
            _ => 16 + random.below(30),
        };
        let parameters: Vec<String> = (1..=me.arity).map(|index| format!("P{index}")).collect();
        let mut writer = Writer {
            random,
            language,
            positions,
            me: *me,
            size,
            calls: 4,
            variables: 0,
        };
        let body = writer.body(&parameters);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "'f{}'/{} =\n    fun ({}) ->\n        {body}",
            me.function,
            me.arity,
            parameters.join(",")
        );
    }
    text.push_str("end\n");
    text
}

/// What an expression may use.
#[derive(Clone, Debug, Default)]
struct Scope {
    variables: Vec<String>,
    /// Proper tails of the first argument.
    tails: Vec<String>,
}

/// Writes the body of a function.
struct Writer<'program> {
    random: &'program mut Random,
    language: Language,
    positions: &'program [Position],
    me: Position,
    /// How many expressions may still be written.
    size: usize,
    /// How many calls may still be written on the current path.
    calls: usize,
    /// How many variables have names.
    variables: usize,
}

const FIRST: &str = "P1";

impl Writer<'_> {
    fn body(&mut self, parameters: &[String]) -> String {
        let scope = Scope {
            variables: parameters.to_vec(),
            tails: Vec::new(),
        };
        if self.random.chance(60) {
            self.recursion(&scope)
        } else {
            self.expression(&scope, 1)
        }
    }

    /// A `case` that takes the first argument apart.
    fn recursion(&mut self, scope: &Scope) -> String {
        let (head, tail) = (self.fresh(), self.fresh());
        let mut inside = scope.clone();
        inside.variables.extend([head.clone(), tail.clone()]);
        inside.tails.push(tail.clone());
        let before = self.calls;
        let further = self.part(2, &inside, 1);
        let behind = std::mem::replace(&mut self.calls, before);
        let at_end = self.part(3, scope, 1);
        self.calls = before;
        let otherwise = self.last_clause(scope, 1, 1);
        self.calls = behind;
        let text = format!(
            "case {FIRST} of <[]> when 'true' -> {at_end} \
             <[{head}|{tail}]> when 'true' -> {further} {otherwise} end"
        );
        if self.random.chance(50) {
            return text;
        }
        let result = self.fresh();
        let mut behind = scope.clone();
        behind.variables.push(result.clone());
        let rest = self.expression(&behind, 1);
        format!("let <{result}> = {text} in {rest}")
    }

    fn fresh(&mut self) -> String {
        self.variables += 1;
        format!("V{}", self.variables)
    }

    // ---- Values

    fn literal(&mut self) -> String {
        match self.random.below(10) {
            0..=4 => format!("'{}'", self.random.pick(&ATOMS)),
            5..=7 => self.random.pick(&INTEGERS).to_string(),
            _ => "[]".to_owned(),
        }
    }

    fn value(&mut self, scope: &Scope, depth: usize) -> String {
        let kinds = if depth == 0 { 8 } else { 12 };
        match self.random.below(kinds) {
            0..=5 => self.random.pick(&scope.variables).clone(),
            6..=7 => self.literal(),
            8..=9 => {
                let head = self.value(scope, depth - 1);
                let tail = self.value(scope, depth - 1);
                format!("[{head}|{tail}]")
            }
            10 => {
                let count = 1 + self.random.below(2);
                format!("[{}]", self.values(scope, depth - 1, count))
            }
            _ => {
                let count = self.random.below(4);
                format!("{{{}}}", self.values(scope, depth - 1, count))
            }
        }
    }

    fn values(&mut self, scope: &Scope, depth: usize, count: usize) -> String {
        let values: Vec<String> = (0..count).map(|_| self.value(scope, depth)).collect();
        values.join(",")
    }

    fn result(&mut self, scope: &Scope, count: usize) -> String {
        if count == 1 {
            self.value(scope, 2)
        } else {
            format!("<{}>", self.values(scope, 1, count))
        }
    }

    // ---- Expressions

    /// An expression that gives `count` values.
    fn expression(&mut self, scope: &Scope, count: usize) -> String {
        let Some(rest) = self.size.checked_sub(1) else {
            return self.result(scope, count);
        };
        self.size = rest;
        match self.random.below(100) {
            0..=4 => self.result(scope, count),
            5..=24 => self.case(scope, count),
            25..=51 => self.binding(scope, count),
            52..=59 => {
                let first = self.part(2, scope, 1);
                let second = self.expression(scope, count);
                format!("do {first} {second}")
            }
            60..=84 if count == 1 => self.application(scope),
            85..=99 if count == 1 && self.language == Language::WithBuiltIns => {
                self.built_in(scope)
            }
            85..=95 if count == 1 => self.application(scope),
            _ => self.case(scope, count),
        }
    }

    /// One of several expressions that share the number of expressions left.
    fn part(&mut self, of: usize, scope: &Scope, count: usize) -> String {
        let own = self.size.div_ceil(of);
        let others = self.size - own;
        self.size = own;
        let text = self.expression(scope, count);
        self.size += others;
        text
    }

    fn binding(&mut self, scope: &Scope, count: usize) -> String {
        let bound = if self.random.chance(85) { 1 } else { 2 };
        let argument = self.part(2, scope, bound);
        let names: Vec<String> = (0..bound).map(|_| self.fresh()).collect();
        let mut inside = scope.clone();
        inside.variables.extend(names.iter().cloned());
        let body = self.expression(&inside, count);
        format!("let <{}> = {argument} in {body}", names.join(","))
    }

    /// A call that makes the first argument shorter or goes to a later function.
    fn application(&mut self, scope: &Scope) -> String {
        let Some(rest) = self.calls.checked_sub(1) else {
            return self.value(scope, 2);
        };
        let is_shorter = !scope.tails.is_empty() && self.random.chance(75);
        let candidates: Vec<Position> = self
            .positions
            .iter()
            .copied()
            .filter(|position| {
                let is_own = position.module == self.me.module;
                let distance = position.function.abs_diff(self.me.function);
                // Not far away, so that trees of calls stay small.
                let is_near = distance <= 4 && position.module.abs_diff(self.me.module) <= 1;
                is_near
                    && if is_shorter {
                        is_own
                    } else {
                        *position > self.me
                    }
            })
            .collect();
        if candidates.is_empty() {
            return self.value(scope, 2);
        }
        self.calls = rest;
        let mut callee = *self.random.pick(&candidates);
        if callee.module != self.me.module && self.random.chance(60) {
            callee = candidates.first().copied().unwrap_or(callee);
        }
        if is_shorter && self.random.chance(40) {
            callee = self.me;
        }
        let first = if is_shorter {
            self.random.pick(&scope.tails).clone()
        } else if scope.tails.is_empty() {
            FIRST.to_owned()
        } else {
            self.random.pick(&scope.tails).clone()
        };
        let mut arguments = vec![first];
        for _ in 1..callee.arity {
            let argument = if self.random.chance(10) {
                self.expression(scope, 1)
            } else {
                self.value(scope, 1)
            };
            arguments.push(argument);
        }
        let arguments = arguments.join(",");
        if callee.module == self.me.module {
            let (name, arity) = (callee.function, callee.arity);
            format!("apply 'f{name}'/{arity}({arguments})")
        } else {
            let module = module_name(callee.module);
            format!("call {module}:'f{}'({arguments})", callee.function)
        }
    }

    fn built_in(&mut self, scope: &Scope) -> String {
        const BUILT_INS: [(&str, usize); 14] = [
            ("hd", 1),
            ("hd", 1),
            ("tl", 1),
            ("tl", 1),
            ("length", 1),
            ("length", 1),
            ("tuple_size", 1),
            ("element", 2),
            ("-", 2),
            ("div", 2),
            ("rem", 2),
            ("=:=", 2),
            ("<", 2),
            ("is_list", 1),
        ];
        let (name, arity) = *self.random.pick(&BUILT_INS);
        // Often something that does not fail.
        let arguments = match (name, scope.tails.last()) {
            ("hd" | "tl", Some(_)) if self.random.chance(70) => FIRST.to_owned(),
            ("length", Some(tail)) if self.random.chance(70) => tail.clone(),
            ("-" | "div" | "rem", _) if self.random.chance(70) => {
                let numbers: Vec<String> = (0..arity)
                    .map(|_| self.random.pick(&INTEGERS).to_string())
                    .collect();
                numbers.join(",")
            }
            _ => self.values(scope, 1, arity),
        };
        format!("call 'erlang':'{name}'({arguments})")
    }

    // ---- Cases

    fn case(&mut self, scope: &Scope, count: usize) -> String {
        let (subject, width) = match self.random.below(10) {
            0..=1 => (FIRST.to_owned(), 1),
            2..=3 => match scope.tails.last() {
                Some(tail) => (tail.clone(), 1),
                None => (self.value(scope, 1), 1),
            },
            4..=6 => (self.value(scope, 1), 1),
            7 => (self.expression(scope, 1), 1),
            8 => (format!("<{}>", self.values(scope, 1, 2)), 2),
            _ => (self.random.pick(&scope.variables).clone(), 1),
        };
        let is_first = subject == FIRST || scope.tails.contains(&subject);
        let before = self.calls;
        let mut fewest = before;
        let mut text = format!("case {subject} of ");
        let clauses = self.random.below(4);
        for written in 0..clauses {
            let mut inside = scope.clone();
            let patterns: Vec<String> = (0..width)
                .map(|_| self.pattern(&mut inside, 2, is_first))
                .collect();
            let guard = self.guard(&inside, 2);
            self.calls = before;
            let body = self.part(clauses + 1 - written, &inside, count);
            fewest = fewest.min(self.calls);
            let patterns = patterns.join(",");
            let _ = write!(text, "<{patterns}> when {guard} -> {body} ");
        }
        self.calls = before;
        text.push_str(&self.last_clause(scope, width, count));
        self.calls = fewest.min(self.calls);
        text.push_str(" end");
        text
    }

    /// A clause that matches everything.
    fn last_clause(&mut self, scope: &Scope, width: usize, count: usize) -> String {
        let names: Vec<String> = (0..width).map(|_| self.fresh()).collect();
        let pattern = names.join(",");
        let mut inside = scope.clone();
        inside.variables.extend(names);
        let body = if self.random.chance(6) {
            self.raise(&inside, &pattern, width, count)
        } else {
            self.expression(&inside, count)
        };
        format!("<{pattern}> when 'true' -> {body}")
    }

    fn raise(&mut self, scope: &Scope, names: &str, width: usize, count: usize) -> String {
        let value = if width == 1 {
            names.to_owned()
        } else {
            format!("{{{names}}}")
        };
        let raise = if self.language == Language::WithBuiltIns && self.random.chance(30) {
            let name = *self.random.pick(&["error", "exit", "throw"]);
            format!("call 'erlang':'{name}'({value})")
        } else {
            let reason = *self.random.pick(&["case_clause", "badmatch"]);
            format!("primop 'match_fail'({{'{reason}',{value}}})")
        };
        // Not always in tail position.
        match self.random.below(8) {
            0 => format!("do {raise} {}", self.result(scope, count)),
            1 => {
                let never = self.fresh();
                let mut inside = scope.clone();
                inside.variables.push(never.clone());
                let result = self.expression(&inside, count);
                format!("let <{never}> = {raise} in {result}")
            }
            _ => raise,
        }
    }

    /// A pattern, whose variables come into scope. If it is for the first argument or a tail of
    /// it, a tail is known to be one.
    fn pattern(&mut self, scope: &mut Scope, depth: usize, is_first: bool) -> String {
        let kinds = if depth == 0 { 6 } else { 12 };
        match self.random.below(kinds) {
            0..=3 if depth < 2 => self.bound(scope),
            0..=5 => self.literal(),
            6..=8 => {
                let head = self.pattern(scope, depth - 1, false);
                if self.random.chance(60) {
                    let tail = self.bound(scope);
                    if is_first {
                        scope.tails.push(tail.clone());
                    }
                    format!("[{head}|{tail}]")
                } else {
                    let tail = self.pattern(scope, depth - 1, false);
                    format!("[{head}|{tail}]")
                }
            }
            9..=10 => {
                let elements = self.random.below(4);
                let elements: Vec<String> = (0..elements)
                    .map(|_| self.pattern(scope, depth - 1, false))
                    .collect();
                format!("{{{}}}", elements.join(","))
            }
            _ => {
                let whole = self.bound(scope);
                let head = self.pattern(scope, depth - 1, false);
                let tail = self.bound(scope);
                format!("{whole} = [{head}|{tail}]")
            }
        }
    }

    fn bound(&mut self, scope: &mut Scope) -> String {
        let name = self.fresh();
        scope.variables.push(name.clone());
        name
    }

    fn guard(&mut self, scope: &Scope, depth: usize) -> String {
        const TESTS: [&str; 4] = ["is_atom", "is_integer", "is_list", "is_tuple"];
        const COMPARISONS: [&str; 6] = ["<", "=<", ">", ">=", "=:=", "=/="];
        if depth == 2 && self.random.chance(65) {
            return "'true'".to_owned();
        }
        match self.random.below(if depth == 0 { 8 } else { 10 }) {
            0..=1 => {
                let test = *self.random.pick(&TESTS);
                format!("call 'erlang':'{test}'({})", self.value(scope, 0))
            }
            2..=3 => {
                let variable = self.random.pick(&scope.variables).clone();
                format!("call 'erlang':'>'({variable},1)")
            }
            4..=7 => {
                let comparison = *self.random.pick(&COMPARISONS);
                format!("call 'erlang':'{comparison}'({})", self.values(scope, 1, 2))
            }
            8 => format!("call 'erlang':'not'({})", self.guard(scope, depth - 1)),
            _ => {
                let operator = *self.random.pick(&["and", "or"]);
                let left = self.guard(scope, depth - 1);
                let right = self.guard(scope, depth - 1);
                format!("call 'erlang':'{operator}'({left},{right})")
            }
        }
    }
}
