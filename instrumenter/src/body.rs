//! The body of a function, with emitters.

use flattener::ast::{Annotations, Child, MapOperator, deep};
use flattener::flat::{
    Block, BlockId, Bound, Callable, Clause, Fun, Function, FunctionId, FunctionRef, LocalFunction,
    LocalId, Operation, SiteId, Statement, Value,
};
use trace_format::{CallKind, Callee, EXIT, Program, Wire, offset};

use crate::function_state::{Building, Instrumenter, Pending};
use crate::guarding::GuardedBuiltins;
use crate::locals;
use crate::receive;
use crate::runtime;
use crate::wrapper::{announce, count, fresh_variable, tail_block};

/// The instrumented body of a function.
pub(crate) fn instrument(
    program: &Program,
    (module, index): (usize, usize),
    wire: Wire,
    builtins: &mut GuardedBuiltins,
) -> Function {
    let code = program
        .module(module)
        .expect("the module is of the program");
    let source = code.function(index).expect("the function is of the module");
    let mut function = source.clone();
    if let Some(body) = code.body_name(index) {
        function.id.name = body.clone();
    }
    let announced = locals::bodies_of_values(&mut function);
    let mut instrumenter = Instrumenter {
        program,
        code,
        module,
        index,
        wire,
        function,
        announced,
        builtins,
    };
    let ends = instrumenter.ends(EXIT, &[]);
    instrumenter.block(source.fun.body, &[], &ends, &Pending::default());
    receive::control(&mut instrumenter.function);
    instrumenter.function
}

impl Instrumenter<'_> {
    /// Instruments a block in place: `starts` are emitted before it, `ends` after it.
    fn block(&mut self, id: BlockId, starts: &[u32], ends: &[u32], pending: &Pending) {
        let Some(block) = self.function.blocks.get_mut(id.index()) else {
            return;
        };
        let block = std::mem::take(block);
        let is_bare = self.code.plan.ends_bare(self.index, id);
        let mut building = Building {
            statements: Vec::with_capacity(block.statements.len()),
            pending: pending.clone(),
        };
        starts.iter().for_each(|number| building.emit(*number));
        let last = block.statements.len().saturating_sub(1);
        for (index, statement) in block.statements.into_iter().enumerate() {
            // The parts of a bare statement emit the events at the end of its block.
            let outer = if is_bare && index == last { ends } else { &[] };
            deep(|| self.statement(statement, outer, &mut building));
        }
        let mut result = block.result;
        if !is_bare {
            ends.iter().for_each(|number| building.emit(*number));
            self.end_block(&mut result, &mut building);
        }
        if let Some(slot) = self.function.blocks.get_mut(id.index()) {
            *slot = Block {
                statements: building.statements,
                result,
            };
        }
    }

    /// Emits what is pending at the end of a block.
    fn end_block(&mut self, result: &mut [Value], building: &mut Building) {
        let [value] = result else {
            building.end_region();
            return;
        };
        if building.binds_to_primop(value) {
            building.end_region();
            return;
        }
        if let Some(operation) = building.end_with(value.clone()) {
            let returned = fresh_variable(&mut self.function);
            building
                .statements
                .push(runtime::binding(returned, operation));
            *value = Value::Variable(returned);
        }
    }

    fn statement(&mut self, mut statement: Statement, outer: &[u32], building: &mut Building) {
        let site = statement.site;
        if building.pending.message.is_some() && !self.belongs_to_region(&statement) {
            building.end_region();
        }
        // A `do` whose first part is a plain value binds nothing.
        let is_bound = self.is_full() && !statement.is_discarded();
        match &mut statement.operation {
            Operation::Values(_) => {
                if is_bound {
                    building.emit(self.number(site, offset::BIND));
                }
                building.statements.push(statement);
            }
            Operation::Fun(fun) => {
                if is_bound {
                    building.emit(self.number(site, offset::BIND));
                }
                self.fun(site, fun);
                building.statements.push(statement);
            }
            Operation::Map { base: None, pairs } if never_fails(pairs) => {
                let number = self.number(site, offset::BIND);
                let is_logged = self.is_full() || self.code.plan.is_on_lean_wire(site);
                building.statements.push(statement);
                if is_logged {
                    building.emit(number);
                }
            }
            Operation::Map { .. } | Operation::Binary(_) => {
                self.guarded(statement, offset::BIND, building);
            }
            Operation::Apply { .. } | Operation::Call { .. } | Operation::Primop { .. } => {
                self.call(statement, building);
            }
            Operation::Case { clauses, .. } => {
                let ends = self.ends(self.number(site, offset::END), outer);
                let pending = std::mem::take(&mut building.pending);
                self.clauses(site, clauses, &ends, &pending);
                building.statements.push(statement);
            }
            Operation::Letrec { definitions, body } => {
                for (index, local) in definitions.iter().enumerate() {
                    let exit = self.number(site, offset::LOCAL_EXIT + count(index));
                    let ends = self.ends(exit, &[]);
                    self.block(local.fun.body, &[], &ends, &Pending::default());
                }
                self.announce_locals(site, definitions);
                let ends = self.ends(self.number(site, offset::END), outer);
                let pending = std::mem::take(&mut building.pending);
                self.block(*body, &[], &ends, &pending);
                building.statements.push(statement);
            }
            Operation::Try {
                argument,
                body,
                handler,
                ..
            } => {
                let blocks = [*argument, *body, *handler];
                self.protected(site, blocks, outer, building);
                building.push_settled(statement);
            }
            Operation::Catch(body) => {
                if self.is_full() {
                    building.emit(self.number(site, offset::TRY));
                }
                let ends = self.ends(self.number(site, offset::END), &[]);
                self.block(*body, &[], &ends, &Pending::default());
                let raw = fresh_variable(&mut self.function);
                let bound = std::mem::replace(&mut statement.bound, Bound::Variables(vec![raw]));
                building.push_settled(statement);
                let caught = runtime::call("caught", vec![Value::Variable(raw)]);
                building.statements.push(runtime::statement(bound, caught));
            }
            Operation::Receive {
                clauses, action, ..
            } => {
                self.receive(site, clauses, *action, outer);
                building.push_settled(statement);
            }
        }
    }

    /// The three blocks of a `try`.
    fn protected(
        &mut self,
        site: SiteId,
        [argument, body, handler]: [BlockId; 3],
        outer: &[u32],
        building: &mut Building,
    ) {
        let none = Pending::default();
        let ends = self.ends(self.number(site, offset::END), outer);
        let starts = |offset| self.ends(self.number(site, offset), &[]);
        let (leave, caught) = (starts(offset::LEAVE), starts(offset::CAUGHT));
        if self.is_full() {
            building.emit(self.number(site, offset::TRY));
        }
        self.block(argument, &[], &[], &none);
        self.block(body, &leave, &ends, &none);
        self.block(handler, &caught, &ends, &none);
    }

    /// A `receive` of older compilers; its timeout is the last clause.
    fn receive(&mut self, site: SiteId, clauses: &[Clause], action: BlockId, outer: &[u32]) {
        let none = Pending::default();
        let ends = self.ends(self.number(site, offset::END), outer);
        for (index, clause) in clauses.iter().enumerate() {
            let chosen = self.number(site, offset::CLAUSE + count(index));
            self.block(clause.body, &[chosen], &ends, &none);
        }
        let timeout = self.number(site, offset::CLAUSE + count(clauses.len()));
        self.block(action, &[timeout], &ends, &none);
    }

    /// Whether a statement may stand between looking at a message and the end of a region.
    fn belongs_to_region(&self, statement: &Statement) -> bool {
        matches!(statement.operation, Operation::Case { .. })
            || matches!(
                self.code.plan.kind(statement.site),
                Some(
                    CallKind::Peek
                        | CallKind::Take
                        | CallKind::Wait
                        | CallKind::Followed(Callee::Local(_))
                )
            )
    }

    fn clauses(&mut self, site: SiteId, clauses: &[Clause], ends: &[u32], pending: &Pending) {
        let is_logged = self.is_full() || clauses.len() > 1;
        for (index, clause) in clauses.iter().enumerate() {
            let chosen = self.number(site, offset::CLAUSE + count(index));
            let starts = if is_logged { vec![chosen] } else { Vec::new() };
            self.block(clause.body, &starts, ends, pending);
        }
    }

    /// A fun announces itself. Its body becomes a local function, because it is called in two
    /// places.
    fn fun(&mut self, site: SiteId, fun: &mut Fun) {
        let ends = self.ends(self.number(site, offset::FUN_EXIT), &[]);
        self.block(fun.body, &[], &ends, &Pending::default());
        let local = LocalId(count(self.function.locals.len()));
        self.function.locals.push(FunctionId {
            name: erlang_term::Atom::new(format!("@fun{}", site.0)),
            arity: 0,
        });
        let body = Value::Function(Child::new(FunctionRef::Local(local)));
        let function = &mut self.function;
        let bracketed = tail_block(function, runtime::call("bracket", vec![body.clone()]));
        let inside = tail_block(
            function,
            Operation::Apply {
                operator: body,
                arguments: Vec::new(),
            },
        );
        let number = self.code.announced_as(Callable::Fun(site));
        let announced_as = (self.module, number.unwrap_or_default());
        let start = announce(function, announced_as, &fun.parameters, bracketed, inside);
        let letrec = Operation::Letrec {
            definitions: vec![LocalFunction {
                id: local,
                fun: Fun {
                    parameters: Vec::new(),
                    body: fun.body,
                    annotations: Annotations::default(),
                },
                name_annotations: Annotations::default(),
            }],
            body: start,
        };
        fun.body = tail_block(function, letrec);
    }
}

/// Whether all pairs may be new to the map.
fn never_fails(pairs: &[(MapOperator, Value, Value)]) -> bool {
    pairs
        .iter()
        .all(|(operator, ..)| *operator == MapOperator::Assoc)
}
