//! Makes Core Erlang programs out of random bytes.
//!
//! Each byte decides one choice; when no bytes are left, every choice is the simplest one. So all
//! programs end, a shorter list of bytes means a smaller program, and all programs are valid:
//! names are bound, every expression gives as many values as its place takes, guards are pure.
//! Few names are used, so that many are shadowed.

/// A valid module, by the choices that these bytes make.
pub fn program(bytes: &[u8]) -> String {
    Generator {
        choices: bytes.iter().copied().collect(),
        variables: Vec::new(),
        functions: Vec::new(),
        depth: 0,
    }
    .module()
}

const VARIABLES: [&str; 10] = ["X", "Y", "Z", "_", "_1", "W1", "W2", "X@1", "Ü", "_Größe"];
const ATOMS: [&str; 12] = [
    "'a'",
    "''",
    "'it\\'s'",
    "'two words'",
    "'\\n\\t\\\\'",
    "'\\001\\x7'",
    "'kůň'",
    "'日本'",
    "'🙂'",
    "'end'",
    "'\"'",
    "'-|'",
];
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "+7",
    "255",
    "16#fF",
    "-36#Zz",
    "9223372036854775807",
    "-9223372036854775809",
    "123456789012345678901234567890",
    "1.5",
    "-0.0",
    "1.0e300",
    "4.94065645841246544177e-324",
    "9.99999999999999954748e-08",
];
const TEXTS: [&str; 12] = [
    "[]",
    "$a",
    "$ ",
    "$$",
    "$\\n",
    "$\\101",
    "$\\377",
    "\"\"",
    "\"abc\"",
    "\"a\\\"b\\\\\\n\"",
    "\"é\"",
    "\"\\e\\^a\"",
];
const OPERATORS: [&str; 6] = ["'+'", "'>'", "'=:='", "'and'", "'element'", "'length'"];
const SEGMENTS: [&str; 7] = [
    "(8,1,'integer',['unsigned'|['big']])",
    "(4,1,'integer',['signed','little'])",
    "(64,1,'float',['unsigned'|['native']])",
    "('all',8,'binary',['unsigned'|['big']])",
    "('undefined','undefined','utf8',['unsigned'|['big']])",
    "('undefined','undefined','utf16',['unsigned'|['little']])",
    "('undefined','undefined','utf32',[])",
];

/// A function that can be called here.
#[derive(Clone)]
struct Function {
    name: String,
    arity: usize,
    /// How many values it gives.
    count: usize,
}

struct Generator {
    choices: std::collections::VecDeque<u8>,
    /// Variables in scope, the innermost last.
    variables: Vec<String>,
    functions: Vec<Function>,
    depth: usize,
}

/// Nothing nests deeper, so that choices are left for the rest of the program.
const MAX_DEPTH: usize = 7;

impl Generator {
    /// A number below `limit`; 0 when no choices are left or everything is nested enough.
    fn pick(&mut self, limit: usize) -> usize {
        if self.depth >= MAX_DEPTH {
            return 0;
        }
        usize::from(self.choices.pop_front().unwrap_or(0)) % limit
    }

    fn one_of<'text>(&mut self, texts: &[&'text str]) -> &'text str {
        let index = self.pick(texts.len());
        texts[index]
    }

    /// Up to `limit` pieces, separated by commas.
    fn list(&mut self, limit: usize, mut piece: impl FnMut(&mut Self) -> String) -> String {
        let count = self.pick(limit + 1);
        let pieces: Vec<String> = (0..count).map(|_| piece(self)).collect();
        pieces.join(",")
    }

    /// A piece of text, sometimes with annotations; labels have theirs already.
    fn annotated(&mut self, text: String) -> String {
        if self.pick(8) < 7 || text.starts_with("( letrec") {
            return text;
        }
        let (first, more) = (self.constant(), self.list(2, Self::constant));
        let comma = if more.is_empty() { "" } else { "," };
        format!("( {text} -| [{first}{comma}{more}] )")
    }

    /// Text that is nested in other text.
    fn nested(&mut self, make: impl FnOnce(&mut Self) -> String) -> String {
        self.depth += 1;
        let text = make(self);
        self.depth -= 1;
        text
    }

    /// White space of some sort.
    fn space(&mut self) -> &'static str {
        self.one_of(&[
            " ",
            "\n",
            "\t",
            "\r\n",
            " % a comment 'with quotes\n",
            "\u{a0}",
        ])
    }

    fn constant(&mut self) -> String {
        self.nested(Self::constant_step)
    }

    fn constant_step(&mut self) -> String {
        match self.pick(7) {
            0..=2 => self.literal(),
            3 => format!("{{{}}}", self.list(3, Self::constant)),
            4 => format!("[{},{}]", self.constant(), self.constant()),
            5 => format!("[{}|{}]", self.constant(), self.constant()),
            _ => {
                let pairs = self.list(2, |generator| {
                    format!("{}=>{}", generator.constant(), generator.constant())
                });
                format!("~{{{pairs}}}~")
            }
        }
    }

    fn literal(&mut self) -> String {
        match self.pick(3) {
            0 => self.one_of(&ATOMS),
            1 => self.one_of(&NUMBERS),
            _ => self.one_of(&TEXTS),
        }
        .to_owned()
    }

    fn module(&mut self) -> String {
        let count = 1 + self.pick(3);
        self.functions = (0..count)
            .map(|number| Function {
                name: format!("'f{number}'"),
                arity: self.pick(3),
                count: 1,
            })
            .collect();
        let exports: Vec<String> = self
            .functions
            .clone()
            .iter()
            .map(|function| self.annotated(format!("{}/{}", function.name, function.arity)))
            .collect();
        let attributes = self.list(2, |generator| {
            let key = generator.one_of(&ATOMS).to_owned();
            format!("{} = {}", generator.annotated(key), generator.constant())
        });
        let definitions = self.definitions(&self.functions.clone());
        let text = format!(
            "module{}'m' [{}] attributes [{attributes}]\n{definitions}end",
            self.space(),
            exports.join(",")
        );
        self.annotated(text)
    }

    fn definitions(&mut self, functions: &[Function]) -> String {
        let mut text = String::new();
        for function in functions {
            let name = format!("{}/{}", function.name, function.arity);
            let fun = self.fun(function.arity, function.count);
            text.push_str(&format!(
                "{} = {}\n",
                self.annotated(name),
                self.annotated(fun)
            ));
        }
        text
    }

    /// Names that differ from each other.
    fn names(&mut self, count: usize) -> Vec<String> {
        let mut names = Vec::new();
        for _ in 0..count {
            let name = self.new_name(&names);
            names.push(name);
        }
        names
    }

    fn new_name(&mut self, taken: &[String]) -> String {
        let start = self.pick(VARIABLES.len());
        let free = VARIABLES
            .iter()
            .cycle()
            .skip(start)
            .take(VARIABLES.len())
            .find(|name| !taken.iter().any(|taken| taken == *name));
        free.map_or_else(|| format!("V{}", taken.len()), |name| (*name).to_owned())
    }

    /// Where a list of names is bound.
    fn binders(&mut self, names: &[String]) -> String {
        let binders: Vec<String> = names
            .iter()
            .map(|name| self.annotated(name.clone()))
            .collect();
        match binders.as_slice() {
            [only] if self.pick(2) == 1 => only.clone(),
            several => format!("<{}>", several.join(",")),
        }
    }

    /// Text that is made while some variables are bound.
    fn scoped(&mut self, names: &[String], make: impl FnOnce(&mut Self) -> String) -> String {
        let outer = self.variables.len();
        self.variables.extend_from_slice(names);
        let text = make(self);
        self.variables.truncate(outer);
        text
    }

    fn fun(&mut self, arity: usize, count: usize) -> String {
        let names = self.names(arity);
        let parameters: Vec<String> = names
            .iter()
            .map(|name| self.annotated(name.clone()))
            .collect();
        let body = self.scoped(&names, |generator| generator.expr(count));
        format!("fun ({}) -> {body}", parameters.join(","))
    }

    fn variable(&mut self) -> String {
        if self.variables.is_empty() {
            return self.literal();
        }
        let index = self.pick(self.variables.len());
        self.variables[index].clone()
    }

    /// An expression that gives `count` values.
    fn expr(&mut self, count: usize) -> String {
        self.nested(|generator| {
            let text = if count == 1 && generator.pick(2) == 0 {
                generator.value()
            } else {
                generator.operation(count)
            };
            generator.annotated(text)
        })
    }

    fn exprs(&mut self, count: usize) -> String {
        let exprs: Vec<String> = (0..count).map(|_| self.expr(1)).collect();
        exprs.join(",")
    }

    /// An expression that gives one value and can give no other number.
    fn value(&mut self) -> String {
        let one = |generator: &mut Self| generator.expr(1);
        match self.pick(16) {
            0..=3 => self.variable(),
            4 | 5 => self.literal(),
            6 => self.function_name(),
            7 => format!(
                "fun {}:{}/{}",
                self.one_of(&ATOMS),
                self.one_of(&ATOMS),
                self.pick(256)
            ),
            8 => format!("{{{}}}", self.list(3, one)),
            9 => format!("[{}{}]", self.expr(1), self.tail(one)),
            10 => self.map(one),
            11 => self.binary(one),
            12 => {
                let arity = self.pick(3);
                self.fun(arity, 1)
            }
            13 => format!(
                "call {}:{}({})",
                self.expr(1),
                self.expr(1),
                self.list(2, one)
            ),
            14 => format!("apply {}({})", self.expr(1), self.list(2, one)),
            _ => format!("catch {}", self.expr(1)),
        }
    }

    fn tail(&mut self, mut one: impl FnMut(&mut Self) -> String) -> String {
        match self.pick(3) {
            0 => String::new(),
            1 => format!(",{}", one(self)),
            _ => format!("|{}", one(self)),
        }
    }

    fn map(&mut self, mut one: impl FnMut(&mut Self) -> String) -> String {
        let pairs = self.list(2, |generator| {
            let (key, operator, value) = (
                one(generator),
                generator.one_of(&["=>", ":="]),
                one(generator),
            );
            generator.annotated(format!("{key}{operator}{value}"))
        });
        let base = if self.pick(2) == 1 {
            format!("|{}", one(self))
        } else {
            String::new()
        };
        format!("~{{{pairs}{base}}}~")
    }

    fn binary(&mut self, mut one: impl FnMut(&mut Self) -> String) -> String {
        let segments = self.list(3, |generator| {
            let value = one(generator);
            let layout = if generator.pick(4) == 3 {
                format!("({},8,'integer',['unsigned','big'])", one(generator))
            } else {
                generator.one_of(&SEGMENTS).to_owned()
            };
            generator.annotated(format!("#<{value}>{layout}"))
        });
        format!("#{{{segments}}}#")
    }

    fn function_name(&mut self) -> String {
        let index = self.pick(self.functions.len());
        let function = &self.functions[index];
        format!("{}/{}", function.name, function.arity)
    }

    /// An expression that can give any number of values.
    fn operation(&mut self, count: usize) -> String {
        match self.pick(11) {
            0 | 1 => self.values(count),
            2 => self.let_in(count, Self::expr),
            3 => format!("do{}{} {}", self.space(), self.expr(1), self.expr(count)),
            4 => self.case(count, Self::expr),
            5 => self.letrec(count),
            6 => self.label(count),
            7 => self.try_of(count, Self::expr),
            8 => self.receive(count),
            9 => self.call_of_local(count),
            _ => format!("primop {}({})", self.one_of(&ATOMS), self.expr(1)),
        }
    }

    fn values(&mut self, count: usize) -> String {
        if count == 1 && self.pick(2) == 0 {
            return self.variable();
        }
        format!("<{}>", self.exprs(count))
    }

    fn let_in(&mut self, count: usize, make: fn(&mut Self, usize) -> String) -> String {
        let width = [1, 1, 2, 0][self.pick(4)];
        let argument = make(self, width);
        let names = self.names(width);
        let binders = self.binders(&names);
        let body = self.scoped(&names, |generator| make(generator, count));
        format!("let {binders} = {argument} in{}{body}", self.space())
    }

    fn case(&mut self, count: usize, make: fn(&mut Self, usize) -> String) -> String {
        let width = [1, 1, 2, 0][self.pick(4)];
        let argument = make(self, width);
        let clauses = self.clauses(width, count, make);
        format!("case {argument} of {clauses} end")
    }

    fn clauses(
        &mut self,
        width: usize,
        count: usize,
        make: fn(&mut Self, usize) -> String,
    ) -> String {
        let clauses: Vec<String> = (0..=self.pick(2))
            .map(|_| {
                let mut bound = Vec::new();
                let patterns: Vec<String> = (0..width).map(|_| self.pattern(&mut bound)).collect();
                let outer = self.variables.len();
                self.variables.extend(bound);
                let guard = self.guard(1);
                let body = make(self, count);
                self.variables.truncate(outer);
                let clause = format!("<{}> when {guard} -> {body}", patterns.join(","));
                self.annotated(clause)
            })
            .collect();
        clauses.join("\n")
    }

    fn letrec(&mut self, count: usize) -> String {
        let outer = self.functions.len();
        let first = self.pick(2);
        let locals: Vec<Function> = (0..=self.pick(2))
            .map(|number| Function {
                name: format!("'f{}'", first + number),
                arity: self.pick(3),
                count: 1,
            })
            .collect();
        self.functions.extend_from_slice(&locals);
        let definitions = self.definitions(&locals);
        let body = self.expr(count);
        self.functions.truncate(outer);
        format!("letrec {definitions} in {body}")
    }

    fn label(&mut self, count: usize) -> String {
        let label = Function {
            name: "'label^0'".to_owned(),
            arity: self.pick(2),
            count,
        };
        let fun = self.fun(label.arity, count);
        self.functions.push(label.clone());
        let body = self.expr(count);
        self.functions.pop();
        format!(
            "( letrec 'label^0'/{} = {fun} in {body} -| ['letrec_goto'] )",
            label.arity
        )
    }

    fn call_of_local(&mut self, count: usize) -> String {
        let start = self.pick(self.functions.len());
        let mut from_start = self
            .functions
            .iter()
            .cycle()
            .skip(start)
            .take(self.functions.len());
        let callable = from_start.find(|function| function.count == count);
        let Some(Function { name, arity, .. }) = callable.cloned() else {
            return format!("<{}>", self.exprs(count));
        };
        format!("apply {name}/{arity}({})", self.exprs(arity))
    }

    fn try_of(&mut self, count: usize, make: fn(&mut Self, usize) -> String) -> String {
        let width = [1, 1, 2, 0][self.pick(4)];
        let argument = make(self, width);
        let names = self.names(width);
        let binders = self.binders(&names);
        let body = self.scoped(&names, |generator| make(generator, count));
        let exception_width = 2 + self.pick(2);
        let exceptions = self.names(exception_width);
        let exception_binders = self.binders(&exceptions);
        let handler = self.scoped(&exceptions, |generator| make(generator, count));
        format!("try {argument} of {binders} -> {body} catch {exception_binders} -> {handler}")
    }

    fn receive(&mut self, count: usize) -> String {
        let clauses = if self.pick(3) == 2 {
            String::new()
        } else {
            self.clauses(1, count, Self::expr)
        };
        format!(
            "receive {clauses} after {} -> {}",
            self.expr(1),
            self.expr(count)
        )
    }

    /// A pure expression.
    fn guard(&mut self, count: usize) -> String {
        self.nested(|generator| generator.guard_step(count))
    }

    fn guard_step(&mut self, count: usize) -> String {
        let one = |generator: &mut Self| generator.guard(1);
        if count != 1 {
            let guards: Vec<String> = (0..count).map(|_| self.guard(1)).collect();
            return format!("<{}>", guards.join(","));
        }
        let text = match self.pick(16) {
            0..=3 => "'true'".to_owned(),
            4 | 5 => self.variable(),
            6 => self.literal(),
            7 => format!(
                "call 'erlang':{}({},{})",
                self.one_of(&OPERATORS),
                one(self),
                one(self)
            ),
            8 => format!("{{{}}}", self.list(3, one)),
            9 => format!("[{}{}]", one(self), self.tail(one)),
            10 => self.map(one),
            11 => self.binary(one),
            12 => self.let_in(1, Self::guard),
            13 => self.case(1, Self::guard),
            14 => self.try_of(1, Self::guard),
            _ => format!("do {} {}", one(self), one(self)),
        };
        self.annotated(text)
    }

    /// A pattern that binds none of the names in `bound`, and adds those it binds.
    fn pattern(&mut self, bound: &mut Vec<String>) -> String {
        self.nested(|generator| generator.pattern_step(bound))
    }

    fn pattern_step(&mut self, bound: &mut Vec<String>) -> String {
        let text = match self.pick(12) {
            0..=3 => self.bound_name(bound),
            4 | 5 => self.literal(),
            6 => format!("{{{}}}", self.list(3, |generator| generator.pattern(bound))),
            7 => {
                let head = self.pattern(bound);
                format!(
                    "[{head}{}]",
                    self.tail(|generator| generator.pattern(bound))
                )
            }
            8 => format!("{} = {}", self.bound_name(bound), self.pattern(bound)),
            9 => self.map_pattern(bound),
            10 => self.binary_pattern(bound),
            _ => self.plain_constant(),
        };
        self.annotated(text)
    }

    /// A constant that patterns may contain as well: not a map.
    fn plain_constant(&mut self) -> String {
        self.nested(Self::plain_constant_step)
    }

    fn plain_constant_step(&mut self) -> String {
        match self.pick(4) {
            0 | 1 => self.literal(),
            2 => format!("{{{}}}", self.list(3, Self::plain_constant)),
            _ => format!("[{}|{}]", self.plain_constant(), self.plain_constant()),
        }
    }

    fn bound_name(&mut self, bound: &mut Vec<String>) -> String {
        let name = self.new_name(bound);
        bound.push(name.clone());
        name
    }

    fn map_pattern(&mut self, bound: &mut Vec<String>) -> String {
        let pairs = self.list(2, |generator| {
            let key = if generator.pick(2) == 0 {
                generator.variable()
            } else {
                generator.plain_constant()
            };
            let value = generator.pattern(bound);
            generator.annotated(format!("{key}:={value}"))
        });
        format!("~{{{pairs}}}~")
    }

    fn binary_pattern(&mut self, bound: &mut Vec<String>) -> String {
        let mut earlier: Vec<String> = Vec::new();
        let segments = self.list(3, |generator| {
            let known = bound.len();
            let value = if generator.pick(2) == 0 {
                generator.bound_name(bound)
            } else {
                generator.literal()
            };
            let layout = match generator.pick(3) {
                0 => generator.one_of(&SEGMENTS).to_owned(),
                1 => format!("({},8,'binary',['unsigned'|['big']])", generator.variable()),
                _ => {
                    let size = earlier.last().cloned().unwrap_or_else(|| "8".to_owned());
                    format!("({size},1,'integer',['signed'|['big']])")
                }
            };
            earlier.extend_from_slice(&bound[known..]);
            generator.annotated(format!("#<{value}>{layout}"))
        });
        format!("#{{{segments}}}#")
    }
}
