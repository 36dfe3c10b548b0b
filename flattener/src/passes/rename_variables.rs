//! Gives every bound variable of a top-level function a name of its own, nested funs included,
//! and likewise the functions of its `letrec`s.
//!
//! ```text
//! let <X> = 1 in let <X> = {X} in X    ⟶    let <X> = 1 in let <X@1> = {X} in X@1
//! ```
//!
//! On entry: any module. On exit: no name is bound twice in a function, every variable and every
//! local function that is used is bound; a first binding keeps its name.

use std::collections::{HashMap, HashSet};

use erlang_term::Atom;
use smol_str::{SmolStr, format_smolstr};

use super::ProgramError;
use crate::ast::{
    Clause, Definition, Expr, Fun, FunctionName, Letrec, Module, Pattern, Span, Variable, deep,
};

/// Renames the variables of a module.
///
/// # Errors
/// When a name is used that nothing binds, or bound twice in one place.
pub fn run(mut module: Module) -> Result<Module, Vec<ProgramError>> {
    let mut renamer = Renamer::default();
    renamer.define_module_functions(&module);
    for definition in &mut module.definitions {
        renamer.top_level(&mut definition.fun);
    }
    let mut errors = renamer.errors;
    if errors.is_empty() {
        return Ok(module);
    }
    errors.sort_by_key(|error| error.span.start);
    Err(errors)
}

type FunctionKey = (Atom, u32);

#[derive(Default)]
struct Renamer {
    /// What a name means here.
    variables: Scope<SmolStr, SmolStr>,
    functions: Scope<FunctionKey, Atom>,
    /// Names taken anywhere in this function, each with the next suffix to try.
    taken: HashMap<SmolStr, u32>,
    taken_functions: HashSet<FunctionKey>,
    module_functions: HashSet<FunctionKey>,
    errors: Vec<ProgramError>,
}

/// Variables that the patterns of a clause bind: old and new name.
type Bindings = Vec<(SmolStr, SmolStr)>;

impl Renamer {
    fn define_module_functions(&mut self, module: &Module) {
        for Definition { name, .. } in &module.definitions {
            if !self
                .module_functions
                .insert((name.name.clone(), name.arity))
            {
                self.complain(
                    name.meta.span,
                    format!("{name} is defined twice"),
                    "defined again here",
                );
            }
        }
        for export in &module.exports {
            if !self
                .module_functions
                .contains(&(export.name.clone(), export.arity))
            {
                self.complain(
                    export.meta.span,
                    format!("{export} is not defined"),
                    "exported here",
                );
            }
        }
    }

    fn complain(&mut self, span: Span, title: String, label: &str) {
        self.errors.push(ProgramError {
            title,
            span,
            label: label.to_owned(),
        });
    }

    fn top_level(&mut self, fun: &mut Fun) {
        self.variables.clear();
        self.functions.clear();
        self.taken.clear();
        self.taken_functions.clear();
        self.fun(fun);
    }

    /// A name of this function's own for a variable about to be bound.
    fn new_name(&mut self, name: &SmolStr) -> SmolStr {
        let Some(suffix) = self.taken.get_mut(name) else {
            self.taken.insert(name.clone(), 1);
            return name.clone();
        };
        let mut next = *suffix;
        let fresh = loop {
            let candidate = format_smolstr!("{name}@{next}");
            next += 1;
            if !self.taken.contains_key(&candidate) {
                break candidate;
            }
        };
        self.taken.insert(name.clone(), next);
        self.taken.insert(fresh.clone(), 1);
        fresh
    }

    /// Binds variables in the scope opened last.
    fn bind(&mut self, variables: &mut [Variable]) {
        for variable in variables {
            let fresh = self.new_name(&variable.name);
            let known = std::mem::replace(&mut variable.name, fresh.clone());
            self.variables.bind(known, fresh);
        }
    }

    /// As [`Self::bind`], for variables that must differ from each other.
    fn bind_distinct(&mut self, variables: &mut [Variable]) {
        for (index, variable) in variables.iter().enumerate() {
            if variables
                .iter()
                .take(index)
                .any(|other| other.name == variable.name)
            {
                self.complain(
                    variable.meta.span,
                    format!("the variable {} is bound twice", variable.name),
                    "bound again here",
                );
            }
        }
        self.bind(variables);
    }

    fn lookup(&mut self, variable: &mut Variable) {
        match self.variables.get(&variable.name) {
            Some(name) => {
                if *name != variable.name {
                    variable.name = name.clone();
                }
            }
            None => self.complain(
                variable.meta.span,
                format!("the variable {} is not bound", variable.name),
                "used here",
            ),
        }
    }

    fn lookup_function(&mut self, name: &mut FunctionName) {
        let key = (name.name.clone(), name.arity);
        if let Some(local) = self.functions.get(&key) {
            name.name = local.clone();
        } else if !self.module_functions.contains(&key) {
            self.complain(
                name.meta.span,
                format!("{name} is not defined"),
                "used here",
            );
        }
    }

    fn fun(&mut self, fun: &mut Fun) {
        let mark = self.variables.mark();
        self.bind_distinct(&mut fun.parameters);
        self.expr(&mut fun.body);
        self.variables.rollback(mark);
    }

    fn exprs<'tree>(&mut self, exprs: impl IntoIterator<Item = &'tree mut Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &mut Expr) {
        deep(|| match expr {
            Expr::Variable(variable) => self.lookup(variable),
            Expr::FunctionName(name) => self.lookup_function(name),
            Expr::Literal(_) | Expr::Constant(_) | Expr::ExternalFun(_) => {}
            Expr::Cons(cons) => {
                self.expr(&mut cons.head);
                self.expr(&mut cons.tail);
            }
            Expr::Tuple(tuple) => self.exprs(&mut tuple.elements),
            Expr::Values(values) => self.exprs(&mut values.elements),
            Expr::Map(map) => {
                self.exprs(&mut map.base);
                for pair in &mut map.pairs {
                    self.exprs([&mut pair.key, &mut pair.value]);
                }
            }
            Expr::Binary(binary) => {
                for segment in &mut binary.segments {
                    self.exprs([&mut segment.value, &mut segment.size]);
                }
            }
            Expr::Fun(fun) => self.fun(fun),
            Expr::Let(node) => {
                let node = &mut **node;
                self.expr(&mut node.argument);
                self.scoped(&mut node.variables, &mut node.body);
            }
            Expr::Letrec(node) => self.letrec(node),
            Expr::Sequence(node) => {
                self.expr(&mut node.first);
                self.expr(&mut node.second);
            }
            Expr::Case(node) => {
                self.expr(&mut node.argument);
                node.clauses
                    .iter_mut()
                    .for_each(|clause| self.clause(clause));
            }
            Expr::Apply(node) => {
                self.expr(&mut node.operator);
                self.exprs(&mut node.arguments);
            }
            Expr::Call(node) => {
                let node = &mut **node;
                self.exprs([&mut node.module, &mut node.name]);
                self.exprs(&mut node.arguments);
            }
            Expr::Primop(node) => self.exprs(&mut node.arguments),
            Expr::Try(node) => {
                let node = &mut **node;
                self.expr(&mut node.argument);
                self.scoped(&mut node.variables, &mut node.body);
                self.scoped(&mut node.exception_variables, &mut node.handler);
            }
            Expr::Catch(node) => self.expr(&mut node.body),
            Expr::Receive(node) => {
                let node = &mut **node;
                node.clauses
                    .iter_mut()
                    .for_each(|clause| self.clause(clause));
                self.exprs([&mut node.timeout, &mut node.action]);
            }
        });
    }

    fn scoped(&mut self, variables: &mut [Variable], body: &mut Expr) {
        let mark = self.variables.mark();
        self.bind_distinct(variables);
        self.expr(body);
        self.variables.rollback(mark);
    }

    fn letrec(&mut self, node: &mut Letrec) {
        let mark = self.functions.mark();
        for Definition { name, .. } in &mut node.definitions {
            let fresh = self.new_function_name(name);
            let known = std::mem::replace(&mut name.name, fresh.clone());
            self.functions.bind((known, name.arity), fresh);
        }
        node.definitions
            .iter_mut()
            .for_each(|definition| self.fun(&mut definition.fun));
        self.expr(&mut node.body);
        self.functions.rollback(mark);
    }

    fn new_function_name(&mut self, name: &FunctionName) -> Atom {
        let candidates = std::iter::once(name.name.clone()).chain(
            (1_u32..).map(|suffix| Atom(format_smolstr!("{}@{suffix}", name.name.as_str()))),
        );
        let mut fresh = candidates
            .filter(|candidate| self.taken_functions.insert((candidate.clone(), name.arity)));
        fresh
            .next()
            .expect("there are more suffixes than functions")
    }

    fn clause(&mut self, clause: &mut Clause) {
        let mut bindings = Bindings::new();
        for pattern in &mut clause.patterns {
            self.pattern(pattern, &mut bindings);
        }
        let mark = self.variables.mark();
        for (known, fresh) in bindings {
            self.variables.bind(known, fresh);
        }
        self.expr(&mut clause.guard);
        self.expr(&mut clause.body);
        self.variables.rollback(mark);
    }

    /// Renames in a pattern. What it binds becomes visible only when all patterns of the clause
    /// are done; until then names in keys and sizes mean what they mean outside.
    fn pattern(&mut self, pattern: &mut Pattern, bindings: &mut Bindings) {
        deep(|| match pattern {
            Pattern::Variable(variable) => self.bind_in_pattern(variable, bindings),
            Pattern::Literal(_) | Pattern::Constant(_) => {}
            Pattern::Cons(cons) => {
                self.pattern(&mut cons.head, bindings);
                self.pattern(&mut cons.tail, bindings);
            }
            Pattern::Tuple(tuple) => {
                for element in &mut tuple.elements {
                    self.pattern(element, bindings);
                }
            }
            Pattern::Map(map) => {
                for pair in &mut map.pairs {
                    self.expr(&mut pair.key);
                    self.pattern(&mut pair.value, bindings);
                }
            }
            Pattern::Binary(binary) => {
                let first = bindings.len();
                for segment in &mut binary.segments {
                    self.segment_size(&mut segment.size, bindings.get(first..).unwrap_or_default());
                    self.pattern(&mut segment.value, bindings);
                }
            }
            Pattern::Alias(alias) => {
                self.bind_in_pattern(&mut alias.variable, bindings);
                self.pattern(&mut alias.pattern, bindings);
            }
        });
    }

    fn bind_in_pattern(&mut self, variable: &mut Variable, bindings: &mut Bindings) {
        if bindings.iter().any(|(known, _)| *known == variable.name) {
            self.complain(
                variable.meta.span,
                format!(
                    "the variable {} is bound twice in one pattern",
                    variable.name
                ),
                "bound again here",
            );
        }
        let fresh = self.new_name(&variable.name);
        let known = std::mem::replace(&mut variable.name, fresh.clone());
        bindings.push((known, fresh));
    }

    /// A size may use the variables of earlier segments of the same binary.
    fn segment_size(&mut self, size: &mut Expr, earlier: &[(SmolStr, SmolStr)]) {
        if let Expr::Variable(variable) = size
            && let Some((_, fresh)) = earlier
                .iter()
                .rev()
                .find(|(known, _)| *known == variable.name)
        {
            variable.name = fresh.clone();
            return;
        }
        self.expr(size);
    }
}

/// What names mean, with a history to go back in.
struct Scope<Key, Value> {
    current: HashMap<Key, Value>,
    history: Vec<(Key, Option<Value>)>,
}

impl<Key, Value> Default for Scope<Key, Value> {
    fn default() -> Self {
        Self {
            current: HashMap::new(),
            history: Vec::new(),
        }
    }
}

impl<Key: Clone + Eq + std::hash::Hash, Value> Scope<Key, Value> {
    fn clear(&mut self) {
        self.current.clear();
        self.history.clear();
    }

    fn get(&self, key: &Key) -> Option<&Value> {
        self.current.get(key)
    }

    fn bind(&mut self, key: Key, value: Value) {
        let before = self.current.insert(key.clone(), value);
        self.history.push((key, before));
    }

    fn mark(&self) -> usize {
        self.history.len()
    }

    fn rollback(&mut self, mark: usize) {
        for (key, before) in self.history.drain(mark..).rev() {
            match before {
                Some(value) => self.current.insert(key, value),
                None => self.current.remove(&key),
            };
        }
    }
}
