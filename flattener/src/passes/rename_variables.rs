//! Gives every bound variable of a top-level function a name of its own, nested funs included,
//! and likewise the functions of its `letrec`s.
//!
//! ```text
//! let <X> = 1 in let <X> = {X} in X    ⟶    let <X> = 1 in let <X@1> = {X} in X@1
//! ```
//!
//! Characters outside of ASCII are replaced: OTP's scanner drops bytes of them, and so may confuse
//! two names.
//!
//! On entry: any module. On exit: no variable and no local function is bound twice in a function,
//! a local function does not have the name of one of the module, names of variables are ASCII, and
//! everything that is used is bound; a first binding keeps its name if it can.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use erlang_term::Atom;
use smol_str::{SmolStr, format_smolstr};

use super::ProgramError;
use crate::ast::{
    CoreClause, CoreFun, CoreModule, CorePattern, Definition, Expr, FunctionName, Letrec, Span,
    Variable, deep,
};

/// Renames the variables of a module.
///
/// # Errors
/// When a name is used that nothing binds, or bound twice in one place.
pub fn run(mut module: CoreModule) -> Result<CoreModule, Vec<ProgramError>> {
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
    taken_functions: HashMap<FunctionKey, u32>,
    module_functions: HashSet<FunctionKey>,
    errors: Vec<ProgramError>,
}

/// A variable that the patterns of a clause bind.
struct Binding {
    name: SmolStr,
    fresh: SmolStr,
    span: Span,
}

impl Renamer {
    fn define_module_functions(&mut self, module: &CoreModule) {
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

    fn top_level(&mut self, fun: &mut CoreFun) {
        self.variables.clear();
        self.functions.clear();
        self.taken.clear();
        self.taken_functions.clear();
        self.fun(fun);
    }

    /// A name of this function's own for a variable about to be bound.
    fn new_name(&mut self, name: &SmolStr) -> SmolStr {
        let name = if name.is_ascii() {
            name.clone()
        } else {
            let plain = |character: char| if character.is_ascii() { character } else { '_' };
            name.chars().map(plain).collect()
        };
        take_name(
            &mut self.taken,
            &name,
            |_| false,
            |suffix| format_smolstr!("{name}@{suffix}"),
        )
    }

    /// Binds variables in the scope opened at `mark`; they must differ from each other.
    fn bind(&mut self, variables: &mut [Variable], mark: usize) {
        for variable in variables {
            let fresh = self.new_name(&variable.name);
            let name = std::mem::replace(&mut variable.name, fresh.clone());
            self.bind_name(name, fresh, variable.meta.span, mark);
        }
    }

    fn bind_name(&mut self, name: SmolStr, fresh: SmolStr, span: Span, mark: usize) {
        if self.variables.is_bound_since(&name, mark) {
            self.complain(
                span,
                format!("the variable {name} is bound twice"),
                "bound again here",
            );
        }
        self.variables.bind(name, fresh);
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

    fn fun(&mut self, fun: &mut CoreFun) {
        let mark = self.variables.mark();
        self.bind(&mut fun.parameters, mark);
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
        self.bind(variables, mark);
        self.expr(body);
        self.variables.rollback(mark);
    }

    fn letrec(&mut self, node: &mut Letrec) {
        let mark = self.functions.mark();
        for Definition { name, .. } in &mut node.definitions {
            let key = (name.name.clone(), name.arity);
            if self.functions.is_bound_since(&key, mark) {
                self.complain(
                    name.meta.span,
                    format!("{name} is defined twice"),
                    "defined again here",
                );
            }
            name.name = self.new_function_name(&key);
            self.functions.bind(key, name.name.clone());
        }
        node.definitions
            .iter_mut()
            .for_each(|definition| self.fun(&mut definition.fun));
        self.expr(&mut node.body);
        self.functions.rollback(mark);
    }

    fn new_function_name(&mut self, key: &FunctionKey) -> Atom {
        let (name, arity) = key;
        take_name(
            &mut self.taken_functions,
            key,
            |candidate| self.module_functions.contains(candidate),
            |suffix| (Atom(format_smolstr!("{}@{suffix}", name.as_str())), *arity),
        )
        .0
    }

    fn clause(&mut self, clause: &mut CoreClause) {
        let mut bindings = Vec::new();
        for pattern in &mut clause.patterns {
            self.pattern(pattern, &mut bindings);
        }
        let mark = self.variables.mark();
        for Binding { name, fresh, span } in bindings {
            self.bind_name(name, fresh, span, mark);
        }
        self.expr(&mut clause.guard);
        self.expr(&mut clause.body);
        self.variables.rollback(mark);
    }

    /// Renames in a pattern. Its variables become visible only after all patterns of the clause;
    /// until then names in keys and sizes mean the variables outside.
    fn pattern(&mut self, pattern: &mut CorePattern, bindings: &mut Vec<Binding>) {
        deep(|| match pattern {
            CorePattern::Variable(variable) => self.bind_in_pattern(variable, bindings),
            CorePattern::Literal(_) | CorePattern::Constant(_) => {}
            CorePattern::Cons(cons) => {
                self.pattern(&mut cons.head, bindings);
                self.pattern(&mut cons.tail, bindings);
            }
            CorePattern::Tuple(tuple) => {
                for element in &mut tuple.elements {
                    self.pattern(element, bindings);
                }
            }
            CorePattern::Map(map) => {
                for pair in &mut map.pairs {
                    self.expr(&mut pair.key);
                    self.pattern(&mut pair.value, bindings);
                }
            }
            CorePattern::Binary(binary) => {
                let first = bindings.len();
                for segment in &mut binary.segments {
                    self.segment_size(&mut segment.size, bindings.get(first..).unwrap_or_default());
                    self.pattern(&mut segment.value, bindings);
                }
            }
            CorePattern::Alias(alias) => {
                self.bind_in_pattern(&mut alias.variable, bindings);
                self.pattern(&mut alias.pattern, bindings);
            }
        });
    }

    fn bind_in_pattern(&mut self, variable: &mut Variable, bindings: &mut Vec<Binding>) {
        let fresh = self.new_name(&variable.name);
        bindings.push(Binding {
            name: std::mem::replace(&mut variable.name, fresh.clone()),
            fresh,
            span: variable.meta.span,
        });
    }

    /// A size may use the variables of earlier segments of the same binary.
    fn segment_size(&mut self, size: &mut Expr, earlier: &[Binding]) {
        if let Expr::Variable(variable) = size
            && let Some(binding) = earlier
                .iter()
                .rev()
                .find(|binding| binding.name == variable.name)
        {
            variable.name = binding.fresh.clone();
            return;
        }
        self.expr(size);
    }
}

/// Takes a free name: the wanted one, or one with a suffix.
fn take_name<Name: Clone + Eq + Hash>(
    taken: &mut HashMap<Name, u32>,
    wanted: &Name,
    is_reserved: impl Fn(&Name) -> bool,
    with_suffix: impl Fn(u32) -> Name,
) -> Name {
    if !taken.contains_key(wanted) && !is_reserved(wanted) {
        taken.insert(wanted.clone(), 1);
        return wanted.clone();
    }
    let mut suffix = taken.get(wanted).copied().unwrap_or(1);
    let fresh = loop {
        let candidate = with_suffix(suffix);
        suffix += 1;
        if !taken.contains_key(&candidate) && !is_reserved(&candidate) {
            break candidate;
        }
    };
    taken.insert(wanted.clone(), suffix);
    taken.insert(fresh.clone(), 1);
    fresh
}

/// The meanings of names, with a history to undo.
struct Scope<Key, Value> {
    /// Each meaning with its place in the history.
    current: HashMap<Key, (Value, usize)>,
    history: Vec<(Key, Option<(Value, usize)>)>,
}

impl<Key, Value> Default for Scope<Key, Value> {
    fn default() -> Self {
        Self {
            current: HashMap::new(),
            history: Vec::new(),
        }
    }
}

impl<Key: Clone + Eq + Hash, Value> Scope<Key, Value> {
    fn clear(&mut self) {
        self.current.clear();
        self.history.clear();
    }

    fn get(&self, key: &Key) -> Option<&Value> {
        self.current.get(key).map(|(value, _)| value)
    }

    fn is_bound_since(&self, key: &Key, mark: usize) -> bool {
        self.current
            .get(key)
            .is_some_and(|(_, place)| *place >= mark)
    }

    fn bind(&mut self, key: Key, value: Value) {
        let before = self.current.insert(key.clone(), (value, self.mark()));
        self.history.push((key, before));
    }

    fn mark(&self) -> usize {
        self.history.len()
    }

    fn rollback(&mut self, mark: usize) {
        for (key, before) in self.history.drain(mark..).rev() {
            match before {
                Some(meaning) => self.current.insert(key, meaning),
                None => self.current.remove(&key),
            };
        }
    }
}

#[cfg(test)]
mod tests;
