//! Takes large functions apart, so that the compiler's time grows with their size and not with its
//! square. Emitters are calls, and a call that is not the last one needs a stack frame. Placing
//! frames takes the compiler a time that grows with the square of a function's size; before
//! instrumentation, a table of thousands of clauses has no call and needs no frame.
//!
//! In a large `case`, each body that needs a frame becomes a function:
//!
//! ```text
//! 'f'/2 = fun (X, Y) ->                      'f'/2 = fun (X, Y) ->
//!   case X of                                  case X of
//!     <'a'> when 'true' ->                       <'a'> when 'true' ->
//!       do call 'e':'out'(1, [])          ⟶        apply '@f/2@1'/1(Y)
//!       apply 'g'/1(Y)                           …
//!     …                                        end
//!   end                                      '@f/2@1'/1 = fun (Y) ->
//!                                              do call 'e':'out'(1, [])
//!                                              apply 'g'/1(Y)
//! ```
//!
//! A large `case` that does not begin a function becomes a function too, so that its bodies are in
//! tail position. So do the labels (`letrec_goto`) of a large function: the compiler makes one for
//! each clause with a segment of variable size. What is inside is taken apart before what is around
//! it, so everything is walked only a few times.
//!
//! On entry, all variables of a function have different names. Small functions stay as they are.

mod captured;
mod several_values;
mod sizes;

use std::collections::{HashMap, HashSet};

use erlang_term::Atom;
use flattener::ast::{
    Apply, Case, Child, CoreFun, CoreModule, Definition, Expr, FunctionName, Meta, deep,
};
use smol_str::{SmolStr, format_smolstr};

use self::captured::{Captured, captured};
use self::several_values::{in_a_tuple, nothing, out_of_a_tuple, use_of, variable};
use self::sizes::{guard_nodes, has_more_nodes, pattern_nodes};

/// How many nodes a `case` has that is taken apart.
const LARGE: usize = 400;
/// How many nodes a function has whose labels become functions.
const LARGE_FUNCTION: usize = 4 * LARGE;
/// How many parameters a new function may have; the BEAM has 255 registers for them.
const MOST_PARAMETERS: usize = 200;

/// Takes the large functions of a module apart.
pub fn outline(mut module: CoreModule) -> CoreModule {
    let names = module.definitions.iter().map(|it| key(&it.name));
    let mut outliner = Outliner {
        functions: names.collect(),
        made: Vec::new(),
        exceptions: HashSet::new(),
        labels: HashMap::new(),
        is_large: false,
        owner: SmolStr::default(),
        count: 0,
    };
    let definitions = std::mem::take(&mut module.definitions);
    for mut definition in definitions {
        outliner.function(&mut definition);
        module.definitions.push(definition);
        module.definitions.append(&mut outliner.made);
    }
    module
}

type FunctionKey = (Atom, u32);

fn key(name: &FunctionName) -> FunctionKey {
    (name.name.clone(), name.arity)
}

struct Outliner {
    /// The functions of the module.
    functions: HashSet<FunctionKey>,
    /// The functions made of the current one.
    made: Vec<Definition>,
    /// Variables of exception handlers: what they hold may not leave the function.
    exceptions: HashSet<SmolStr>,
    /// The labels that became functions, with the function and its arguments.
    labels: HashMap<FunctionKey, (FunctionName, Vec<SmolStr>)>,
    /// Whether the current function is so large that labels become functions.
    is_large: bool,
    /// The beginning of new names.
    owner: SmolStr,
    /// How many names were made for the current function.
    count: usize,
}

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In tail position, and nothing that needs a stack frame comes before it.
    Start,
    /// Elsewhere. It gives this many values.
    Within(usize),
}

/// The size of an expression, and whether it needs a stack frame.
#[derive(Clone, Copy, Debug, Default)]
struct Measure {
    nodes: usize,
    /// If it is in tail position.
    as_tail: bool,
    /// If it is not.
    as_part: bool,
}

impl Measure {
    fn value(nodes: usize) -> Self {
        Self {
            nodes,
            ..Self::default()
        }
    }

    fn framed(nodes: usize) -> Self {
        Self {
            nodes,
            as_tail: true,
            as_part: true,
        }
    }

    /// Of a part, and of what comes after it.
    fn then(self, after: Self) -> Self {
        Self {
            nodes: 1 + self.nodes + after.nodes,
            as_tail: self.as_part || after.as_tail,
            as_part: self.as_part || after.as_part,
        }
    }

    /// Of two alternatives.
    fn or(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            as_tail: self.as_tail || other.as_tail,
            as_part: self.as_part || other.as_part,
        }
    }
}

impl Outliner {
    fn function(&mut self, definition: &mut Definition) {
        let FunctionName { name, arity, .. } = &definition.name;
        let name = name.as_str();
        let name = name.strip_prefix('@').unwrap_or(name);
        self.owner = format_smolstr!("@{name}/{arity}@");
        self.count = 0;
        self.exceptions.clear();
        self.labels.clear();
        self.is_large = has_more_nodes(&definition.fun.body, LARGE_FUNCTION);
        self.expression(&mut definition.fun.body, Place::Start);
    }

    fn expression(&mut self, expr: &mut Expr, place: Place) -> Measure {
        deep(|| self.step(expr, place))
    }

    fn step(&mut self, expr: &mut Expr, place: Place) -> Measure {
        match expr {
            Expr::Variable(_)
            | Expr::Literal(_)
            | Expr::Constant(_)
            | Expr::FunctionName(_)
            | Expr::ExternalFun(_)
            | Expr::Cons(_) => Measure::value(1),
            Expr::Tuple(node) => Measure::value(1 + node.elements.len()),
            Expr::Values(node) => Measure::value(1 + node.elements.len()),
            Expr::Map(node) => Measure::value(1 + 2 * node.pairs.len()),
            Expr::Binary(node) => Measure::value(1 + 2 * node.segments.len()),
            Expr::Primop(node) => Measure::value(1 + node.arguments.len()),
            Expr::Apply(node) => {
                self.jump(node);
                call(node.arguments.len())
            }
            Expr::Call(node) => call(node.arguments.len()),
            Expr::Fun(node) => {
                // The compiler makes a function of it.
                self.expression(&mut node.body, Place::Start);
                Measure::value(1)
            }
            Expr::Let(node) => {
                let count = node.variables.len();
                let argument = self.expression(&mut node.argument, Place::Within(count));
                let after = if argument.as_part {
                    within(place)
                } else {
                    place
                };
                argument.then(self.expression(&mut node.body, after))
            }
            Expr::Sequence(node) => {
                let first = self.expression(&mut node.first, Place::Within(1));
                let after = if first.as_part { within(place) } else { place };
                first.then(self.expression(&mut node.second, after))
            }
            Expr::Letrec(_) => self.letrec(expr, place),
            Expr::Case(_) => self.case(expr, place),
            Expr::Try(node) => {
                let names = node.exception_variables.iter();
                self.exceptions.extend(names.map(|it| it.name.clone()));
                let count = node.variables.len();
                let parts = self.expression(&mut node.argument, Place::Within(count));
                let body = self.expression(&mut node.body, within(place));
                let handler = self.expression(&mut node.handler, within(place));
                Measure::framed(1 + parts.or(body).or(handler).nodes)
            }
            Expr::Catch(node) => {
                let body = self.expression(&mut node.body, Place::Within(1));
                Measure::framed(1 + body.nodes)
            }
            Expr::Receive(node) => {
                let mut all = self.expression(&mut node.action, within(place));
                for clause in &mut node.clauses {
                    all = all.or(self.expression(&mut clause.body, within(place)));
                }
                Measure::framed(1 + all.nodes)
            }
        }
    }

    /// The compiler makes functions of those of a `letrec`, unless they are labels.
    fn letrec(&mut self, expr: &mut Expr, place: Place) -> Measure {
        let Expr::Letrec(node) = expr else {
            return Measure::default();
        };
        let are_labels = node.meta.annotations.has("letrec_goto");
        let may_be_functions = self.is_large && within(place) == Place::Within(1);
        let mut all = Measure::value(1);
        let definitions = std::mem::take(&mut node.definitions);
        for mut definition in definitions {
            let body = &mut definition.fun.body;
            if !are_labels {
                self.expression(body, Place::Start);
            } else if may_be_functions {
                let measure = self.expression(body, Place::Start);
                if self.outlined_label(&mut definition) {
                    continue;
                }
                all = all.or(measure);
            } else {
                all = all.or(self.expression(body, within(place)));
            }
            node.definitions.push(definition);
        }
        if node.definitions.is_empty() {
            let body = std::mem::replace(&mut node.body, nothing());
            *expr = body;
            return self.expression(expr, place);
        }
        all.or(self.expression(&mut node.body, within(place)))
    }

    /// Makes a function of a label, if possible.
    fn outlined_label(&mut self, definition: &mut Definition) -> bool {
        let label = key(&definition.name);
        let body = &mut definition.fun.body;
        if !definition.fun.parameters.is_empty() {
            return false;
        }
        let Some(function) = self.made_function(body) else {
            return false;
        };
        self.labels.insert(label, function);
        true
    }

    /// A jump to a label that became a function calls the function.
    fn jump(&self, apply: &mut Apply) {
        if let Expr::FunctionName(name) = &apply.operator
            && let Some((function, arguments)) = self.labels.get(&key(name))
        {
            apply.operator = Expr::FunctionName(Child::new(function.clone()));
            apply.arguments = arguments.iter().map(use_of).collect();
        }
    }

    fn case(&mut self, expr: &mut Expr, place: Place) -> Measure {
        let Expr::Case(case) = expr else {
            return Measure::default();
        };
        let bodies = case.clauses.iter_mut().map(|clause| {
            let head = clause.patterns.iter().map(pattern_nodes).sum::<usize>();
            let body = self.expression(&mut clause.body, place);
            (head + guard_nodes(&clause.guard), body)
        });
        let bodies: Vec<(usize, Measure)> = bodies.collect();
        let heads: usize = 1 + bodies.iter().map(|it| 1 + it.0).sum::<usize>();
        let all = bodies.iter().map(|it| it.1);
        let all = all.fold(Measure::value(heads), Measure::or);
        if all.nodes < LARGE || !all.as_part {
            return all;
        }
        let measures: Vec<Measure> = bodies.into_iter().map(|it| it.1).collect();
        self.large_case(expr, place, heads, &measures)
    }

    fn large_case(
        &mut self,
        expr: &mut Expr,
        place: Place,
        heads: usize,
        bodies: &[Measure],
    ) -> Measure {
        let Expr::Case(case) = expr else {
            return Measure::default();
        };
        match place {
            Place::Start => self.outline_bodies(case, heads, bodies),
            Place::Within(1) => {
                let rest = self.outline_bodies(case, heads, bodies);
                if self.outlined(expr) { call(1) } else { rest }
            }
            Place::Within(count) => {
                let free = captured(expr);
                if !self.may_leave(&free) {
                    return bodies
                        .iter()
                        .copied()
                        .fold(Measure::value(heads), Measure::or);
                }
                if let Expr::Case(case) = expr {
                    for clause in &mut case.clauses {
                        in_a_tuple(&mut clause.body, count, &mut || self.fresh_variable());
                    }
                    self.outline_bodies(case, heads, bodies);
                }
                self.outlined(expr);
                let variables = (0..count).map(|_| self.fresh_variable()).collect();
                out_of_a_tuple(expr, variables);
                Measure::framed(2 + count)
            }
        }
    }

    /// Makes functions of the bodies that need a stack frame.
    fn outline_bodies(&mut self, case: &mut Case, heads: usize, bodies: &[Measure]) -> Measure {
        let mut all = Measure::value(heads);
        for (clause, measure) in case.clauses.iter_mut().zip(bodies) {
            let is_outlined = measure.as_tail && self.outlined(&mut clause.body);
            all = all.or(if is_outlined { call(1) } else { *measure });
        }
        all
    }

    /// Makes a function of an expression with one value, and a call of it in its place, if possible.
    fn outlined(&mut self, expr: &mut Expr) -> bool {
        let Some((name, arguments)) = self.made_function(expr) else {
            return false;
        };
        *expr = Expr::Apply(Child::new(Apply {
            meta: Meta::default(),
            operator: Expr::FunctionName(Child::new(name)),
            arguments: arguments.iter().map(use_of).collect(),
        }));
        true
    }

    /// Makes a function of an expression, which is taken, and returns the function and its
    /// arguments.
    fn made_function(&mut self, expr: &mut Expr) -> Option<(FunctionName, Vec<SmolStr>)> {
        let free = captured(expr);
        if !self.may_leave(&free) {
            return None;
        }
        let arity = u32::try_from(free.variables.len()).unwrap_or(u32::MAX);
        let name = self.fresh_function(arity);
        self.made.push(Definition {
            name: name.clone(),
            fun: CoreFun {
                meta: Meta::default(),
                parameters: free.variables.iter().map(variable).collect(),
                body: std::mem::replace(expr, nothing()),
            },
        });
        Some((name, free.variables))
    }

    /// Whether code with these free names may be in another function.
    fn may_leave(&self, free: &Captured) -> bool {
        let are_global = || free.functions.iter().all(|it| self.functions.contains(it));
        let is_exception = |it: &SmolStr| self.exceptions.contains(it);
        !free.has_part_of_receive
            && free.variables.len() <= MOST_PARAMETERS
            && are_global()
            && !free.variables.iter().any(is_exception)
    }

    fn fresh_function(&mut self, arity: u32) -> FunctionName {
        loop {
            self.count += 1;
            let name = FunctionName {
                meta: Meta::default(),
                name: Atom::new(format!("{}{}", self.owner, self.count)),
                arity,
            };
            if self.functions.insert(key(&name)) {
                return name;
            }
        }
    }

    /// A variable that the program does not have: no name of it has `@` as its second character, and
    /// emitters use another letter.
    fn fresh_variable(&mut self) -> SmolStr {
        self.count += 1;
        format_smolstr!("O@{}", self.count)
    }
}

fn call(arguments: usize) -> Measure {
    Measure {
        nodes: 1 + arguments,
        as_tail: false,
        as_part: true,
    }
}

/// The place after something that needs a stack frame.
fn within(place: Place) -> Place {
    match place {
        Place::Start => Place::Within(1),
        Place::Within(count) => Place::Within(count),
    }
}

#[cfg(test)]
mod tests;
