//! Brings every function into flat form: the arguments of calls, constructors and cases become
//! variables or literals, and calls and cases stand only on the right of a `let`.
//!
//! ```text
//! apply 'f'/1(call 'm':'g'(X))    ⟶    let <W1> = call 'm':'g'(X) in
//!                                      let <W2> = apply 'f'/1(W1) in W2
//! ```
//!
//! Subexpressions are named from left to right: Core Erlang leaves their order open, and the
//! compiler nests them only where it does not matter. A `let` on the right of a `let` moves out in
//! front of it.
//!
//! On entry: variables are unique ([`super::rename_variables`]). On exit: the form of
//! [`crate::flat`], sites not yet numbered.

mod folding;
mod guards;
mod patterns;
mod segments;
#[cfg(test)]
mod tests;
mod values;

use std::collections::{HashMap, HashSet};

use erlang_term::{Atom, Term};
use smol_str::{SmolStr, format_smolstr};

use super::ProgramError;
use crate::ast::{self, Annotations, Expr, FunctionName, Span, deep};
use crate::flat::{
    Block, BlockId, Bound, Clause, Fun, Function, FunctionId, FunctionRef, LocalFunction, LocalId,
    Module, Operation, SiteId, Statement, Value, VarId, VariableInfo, is_raising,
};

/// Flattens the functions of a module.
///
/// # Errors
/// When an expression gives another number of values than its place takes, or a constant part of
/// the program is malformed.
pub fn run(module: ast::CoreModule) -> Result<Module, Vec<ProgramError>> {
    let mut errors = Vec::new();
    check_attributes(&module, &mut errors);
    let mut functions = Vec::with_capacity(module.definitions.len());
    for definition in module.definitions {
        functions.push(flatten_function(definition, &mut errors));
    }
    if !errors.is_empty() {
        errors.sort_by_key(|error| error.span.start);
        return Err(errors);
    }
    Ok(Module {
        name: module.name,
        exports: module.exports.into_iter().map(function_id).collect(),
        attributes: module.attributes,
        functions,
        annotations: module.meta.annotations,
        site_count: 0,
    })
}

fn check_attributes(module: &ast::CoreModule, errors: &mut Vec<ProgramError>) {
    for attribute in &module.attributes {
        if !folding::is_constant(&attribute.value) {
            errors.push(ProgramError {
                title: "the value of an attribute must be a constant".to_owned(),
                span: attribute.value.meta().span,
                label: "not a constant".to_owned(),
            });
        }
    }
}

fn function_id(name: FunctionName) -> FunctionId {
    FunctionId {
        name: name.name,
        arity: name.arity,
    }
}

fn flatten_function(definition: ast::Definition, errors: &mut Vec<ProgramError>) -> Function {
    let mut flattener = Flattener {
        variables: Vec::new(),
        names: HashMap::new(),
        locals: Vec::new(),
        local_names: HashMap::new(),
        blocks: Vec::new(),
        errors,
    };
    let fun = flattener.fun(definition.fun, 1);
    flattener.name_fresh_variables();
    Function {
        fun,
        name_annotations: definition.name.meta.annotations.clone(),
        id: function_id(definition.name),
        variables: flattener.variables,
        locals: flattener.locals,
        blocks: flattener.blocks,
    }
}

/// Flattens one top-level function.
///
/// Core Erlang expressions may return several values at once. The place of an expression tells how
/// many, so that number (`count`) is passed down.
struct Flattener<'errors> {
    /// A fresh variable has an empty name until the function is done.
    variables: Vec<VariableInfo>,
    names: HashMap<SmolStr, VarId>,
    locals: Vec<FunctionId>,
    local_names: HashMap<FunctionId, LocalId>,
    blocks: Vec<Block>,
    errors: &'errors mut Vec<ProgramError>,
}

impl Flattener<'_> {
    fn complain(&mut self, span: Span, title: impl Into<String>, label: impl Into<String>) {
        self.errors.push(ProgramError {
            title: title.into(),
            span,
            label: label.into(),
        });
    }

    fn expect_count(&mut self, span: Span, given: usize, wanted: usize) {
        if given != wanted {
            let values = |count| if count == 1 { "value" } else { "values" };
            self.complain(
                span,
                format!("{wanted} {} needed, {given} given", values(wanted)),
                format!("this gives {given} {}", values(given)),
            );
        }
    }

    fn new_variable(&mut self, name: SmolStr, annotations: Annotations) -> VarId {
        let id = VarId::next(self.variables.len());
        self.variables.push(VariableInfo { name, annotations });
        id
    }

    fn bind(&mut self, variable: ast::Variable) -> VarId {
        let id = self.new_variable(variable.name.clone(), variable.meta.annotations);
        self.names.insert(variable.name, id);
        id
    }

    fn bind_all(&mut self, variables: Vec<ast::Variable>) -> Vec<VarId> {
        variables
            .into_iter()
            .map(|variable| self.bind(variable))
            .collect()
    }

    fn fresh(&mut self) -> VarId {
        self.new_variable(SmolStr::default(), Annotations::default())
    }

    /// Names the fresh variables `W1`, `W2`, … as in the paper, except for names that are taken.
    fn name_fresh_variables(&mut self) {
        let taken: HashSet<SmolStr> = self.names.keys().cloned().collect();
        let mut names = (1_u32..)
            .map(|number| format_smolstr!("W{number}"))
            .filter(|name| !taken.contains(name));
        for variable in self
            .variables
            .iter_mut()
            .filter(|variable| variable.name.is_empty())
        {
            variable.name = names.next().expect("there are more numbers than variables");
        }
    }

    fn fun(&mut self, fun: ast::CoreFun, count: usize) -> Fun {
        Fun {
            parameters: self.bind_all(fun.parameters),
            body: self.block(fun.body, count),
            annotations: fun.meta.annotations,
        }
    }

    fn block(&mut self, expr: Expr, count: usize) -> BlockId {
        let mut statements = Vec::new();
        let result = deep(|| self.results(expr, count, &mut statements));
        let id = BlockId::next(self.blocks.len());
        self.blocks.push(Block { statements, result });
        id
    }

    /// Emits the statements that evaluate an expression; returns its values.
    fn results(&mut self, expr: Expr, count: usize, out: &mut Vec<Statement>) -> Vec<Value> {
        let expr = self.unwrap_lets(expr, out);
        if let Expr::Values(values) = expr {
            self.expect_count(values.meta.span, values.elements.len(), count);
            return self.values(values.into_inner().elements, out);
        }
        if folding::is_constructor(&expr) {
            self.expect_count(expr.meta().span, 1, count);
            return vec![self.value(expr, out)];
        }
        let (operation, annotations) = self.operation(expr, count, out);
        let variables: Vec<VarId> = (0..count).map(|_| self.fresh()).collect();
        let results = variables.iter().copied().map(Value::Variable).collect();
        out.push(statement(
            Bound::Variables(variables),
            operation,
            annotations,
        ));
        results
    }

    /// Emits the statements of a chain of `let` and `do`; returns the expression at its end.
    fn unwrap_lets(&mut self, mut expr: Expr, out: &mut Vec<Statement>) -> Expr {
        loop {
            if let Expr::Let(node) = expr {
                let node = node.into_inner();
                let count = node.variables.len();
                let (operation, annotations) =
                    deep(|| self.bound_operation(node.argument, count, out));
                let bound = Bound::Variables(self.bind_all(node.variables));
                out.push(statement(bound, operation, annotations));
                expr = node.body;
            } else if let Expr::Sequence(node) = expr {
                let node = node.into_inner();
                let (operation, annotations) = deep(|| self.bound_operation(node.first, 1, out));
                out.push(statement(Bound::Discarded, operation, annotations));
                expr = node.second;
            } else {
                return expr;
            }
        }
    }

    fn bound_operation(
        &mut self,
        expr: Expr,
        count: usize,
        out: &mut Vec<Statement>,
    ) -> (Operation, Annotations) {
        let expr = self.unwrap_lets(expr, out);
        self.operation(expr, count, out)
    }

    fn values(&mut self, exprs: Vec<Expr>, out: &mut Vec<Statement>) -> Vec<Value> {
        exprs
            .into_iter()
            .map(|expr| self.value(expr, out))
            .collect()
    }

    /// The right side of a `let`; statements for its parts are emitted before.
    fn operation(
        &mut self,
        expr: Expr,
        count: usize,
        out: &mut Vec<Statement>,
    ) -> (Operation, Annotations) {
        let mut expr = expr;
        let annotations = std::mem::take(&mut expr.meta_mut().annotations);
        if folding::is_constructor(&expr) {
            self.expect_count(expr.meta().span, 1, count);
            return (Operation::Values(vec![self.value(expr, out)]), annotations);
        }
        // A label returns the values of the whole expression, a function one value.
        let body_count = if annotations.has("letrec_goto") {
            count
        } else {
            1
        };
        (
            self.bare_operation(expr, count, body_count, out),
            annotations,
        )
    }

    fn bare_operation(
        &mut self,
        expr: Expr,
        count: usize,
        body_count: usize,
        out: &mut Vec<Statement>,
    ) -> Operation {
        let span = expr.meta().span;
        match expr {
            Expr::Values(values) => {
                self.expect_count(span, values.elements.len(), count);
                Operation::Values(self.values(values.into_inner().elements, out))
            }
            Expr::Apply(node) => self.apply(node.into_inner(), count, out),
            Expr::Call(node) => self.call(node.into_inner(), count, out),
            Expr::Primop(node) => {
                let node = node.into_inner();
                Operation::Primop {
                    name: atom_of(&node.name),
                    arguments: self.values(node.arguments, out),
                }
            }
            Expr::Map(node) => {
                self.expect_count(span, 1, count);
                self.map(node.into_inner(), out)
            }
            Expr::Binary(node) => {
                self.expect_count(span, 1, count);
                self.binary(node.into_inner(), out)
            }
            Expr::Fun(node) => {
                self.expect_count(span, 1, count);
                Operation::Fun(self.fun(node.into_inner(), 1))
            }
            Expr::Case(node) => self.case(node.into_inner(), count, out),
            Expr::Letrec(node) => self.letrec(node.into_inner(), body_count, count),
            Expr::Try(node) => self.try_of(node.into_inner(), count),
            Expr::Catch(node) => {
                self.expect_count(span, 1, count);
                Operation::Catch(self.block(node.into_inner().body, 1))
            }
            Expr::Receive(node) => self.receive(node.into_inner(), count, out),
            Expr::Variable(_)
            | Expr::Literal(_)
            | Expr::Constant(_)
            | Expr::FunctionName(_)
            | Expr::ExternalFun(_)
            | Expr::Cons(_)
            | Expr::Tuple(_)
            | Expr::Let(_)
            | Expr::Sequence(_) => {
                unreachable!("constructors and chains of `let` are no operations")
            }
        }
    }

    fn apply(&mut self, node: ast::Apply, count: usize, out: &mut Vec<Statement>) -> Operation {
        let operator = self.value(node.operator, out);
        // A jump to a `letrec_goto` label returns as many values as its place takes.
        let is_local = matches!(&operator, Value::Function(name)
            if matches!(**name, FunctionRef::Local(_)));
        if !is_local {
            self.expect_count(node.meta.span, 1, count);
        }
        Operation::Apply {
            operator,
            arguments: self.values(node.arguments, out),
        }
    }

    fn call(&mut self, node: ast::Call, count: usize, out: &mut Vec<Statement>) -> Operation {
        let module = self.value(node.module, out);
        let name = self.value(node.name, out);
        if !never_returns(&module, &name) {
            self.expect_count(node.meta.span, 1, count);
        }
        Operation::Call {
            module,
            name,
            arguments: self.values(node.arguments, out),
        }
    }

    fn try_of(&mut self, node: ast::Try, count: usize) -> Operation {
        Operation::Try {
            argument: self.block(node.argument, node.variables.len()),
            variables: self.bind_all(node.variables),
            body: self.block(node.body, count),
            exception_variables: self.bind_all(node.exception_variables),
            handler: self.block(node.handler, count),
        }
    }

    fn receive(&mut self, node: ast::Receive, count: usize, out: &mut Vec<Statement>) -> Operation {
        Operation::Receive {
            timeout: self.value(node.timeout, out),
            clauses: self.clauses(node.clauses, 1, count),
            action: self.block(node.action, count),
        }
    }

    fn map(&mut self, map: ast::Map, out: &mut Vec<Statement>) -> Operation {
        let base = map.base.map(|base| self.value(base, out));
        let mut pairs = Vec::with_capacity(map.pairs.len());
        for pair in map.pairs {
            let key = self.value(pair.key, out);
            let value = self.value(pair.value, out);
            pairs.push((pair.operator, key, value));
        }
        Operation::Map { base, pairs }
    }

    fn case(&mut self, node: ast::Case, count: usize, out: &mut Vec<Statement>) -> Operation {
        let looked_at = node
            .clauses
            .first()
            .map_or(1, |clause| clause.patterns.len());
        let arguments = deep(|| self.results(node.argument, looked_at, out));
        Operation::Case {
            arguments,
            clauses: self.clauses(node.clauses, looked_at, count),
        }
    }

    fn clauses(
        &mut self,
        clauses: Vec<ast::CoreClause>,
        looked_at: usize,
        count: usize,
    ) -> Vec<Clause> {
        clauses
            .into_iter()
            .map(|clause| self.clause(clause, looked_at, count))
            .collect()
    }

    fn clause(&mut self, clause: ast::CoreClause, looked_at: usize, count: usize) -> Clause {
        self.expect_patterns(&clause, looked_at);
        Clause {
            patterns: self.patterns(clause.patterns),
            guard: self.guard(clause.guard, 1),
            body: self.block(clause.body, count),
            annotations: clause.meta.annotations,
        }
    }

    fn expect_patterns(&mut self, clause: &ast::CoreClause, wanted: usize) {
        let given = clause.patterns.len();
        if given != wanted {
            let patterns = |count| if count == 1 { "pattern" } else { "patterns" };
            self.complain(
                clause.meta.span,
                format!("{wanted} {} needed, {given} given", patterns(wanted)),
                format!("this clause has {given} {}", patterns(given)),
            );
        }
    }

    fn letrec(&mut self, node: ast::Letrec, body_count: usize, count: usize) -> Operation {
        let ids: Vec<LocalId> = node
            .definitions
            .iter()
            .map(|definition| self.define_local(&definition.name))
            .collect();
        let definitions: Vec<LocalFunction> = ids
            .into_iter()
            .zip(node.definitions)
            .map(|(id, definition)| LocalFunction {
                id,
                fun: self.fun(definition.fun, body_count),
                name_annotations: definition.name.meta.annotations,
            })
            .collect();
        let body = self.block(node.body, count);
        // Outside, a function of the module may have the same name.
        for definition in &definitions {
            if let Some(name) = self.locals.get(definition.id.index()) {
                self.local_names.remove(name);
            }
        }
        Operation::Letrec { definitions, body }
    }

    fn define_local(&mut self, name: &FunctionName) -> LocalId {
        let id = LocalId::next(self.locals.len());
        let function = function_id(name.clone());
        self.local_names.insert(function.clone(), id);
        self.locals.push(function);
        id
    }
}

fn atom_of(literal: &ast::Literal) -> Atom {
    let ast::LiteralValue::Atom(atom) = &literal.value else {
        unreachable!("the grammar admits only atoms here")
    };
    atom.clone()
}

fn statement(bound: Bound, operation: Operation, annotations: Annotations) -> Statement {
    Statement {
        site: SiteId::default(),
        bound,
        operation,
        annotations,
    }
}

/// Whether a call always raises. Then it may stand where any number of values is needed.
fn never_returns(module: &Value, name: &Value) -> bool {
    let is = |value: &Value, wanted: fn(&str) -> bool| {
        let text = value.as_literal().and_then(Term::as_atom);
        text.is_some_and(wanted)
    };
    is(module, |it| it == "erlang") && is(name, is_raising)
}
