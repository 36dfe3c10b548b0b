//! Makes the graph from the flat form, from the end of each block to its beginning.

use std::collections::BTreeMap;

use erlang_term::Term;
use flattener::ast::deep;
use flattener::flat::{
    BlockId, Callable, Clause, Function, FunctionId, FunctionRef, Operation, Statement, Value,
};
use models::Meaning;
use smallvec::SmallVec;
use trace_format::{CallKind, Callee, Program, ProgramModule};

use super::flow_graph::{
    FlowCall, FlowCallable, FlowCaller, FlowClause, FlowEdges, FlowGraph, FlowNode, StatementNodes,
};
use super::through_calls::shortest_ways_through;

/// The distance of a decision.
const DECISION: u32 = 1;

/// Callables that a call may choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum AnyOf {
    /// Funs with this number of arguments.
    Funs(usize),
    /// Exported functions of the user's modules with this number of arguments.
    Exports(usize),
}

impl FlowGraph {
    /// The graph of what these functions can reach.
    pub(crate) fn new(program: &Program, entries: &[(usize, usize)]) -> Self {
        let mut graph = FlowBuilder::build(program, entries);
        let through = shortest_ways_through(&graph);
        for node in &mut graph.edges {
            let FlowEdges { steps, calls } = node;
            for call in &*calls {
                let past = through.get(call.callee).copied().flatten();
                steps.extend(past.map(|distance| (call.after, distance)));
            }
        }
        graph
    }
}

/// A graph that grows.
struct FlowBuilder<'program> {
    program: &'program Program,
    graph: FlowGraph,
    /// Callables whose code was not looked at yet.
    open: Vec<(usize, Callable)>,
    /// Calls of these lead to all that are known in the end.
    hubs: BTreeMap<AnyOf, usize>,
    /// Callables that are values somewhere, with their numbers of arguments.
    funs: Vec<(usize, usize)>,
}

/// The callable whose code is looked at.
#[derive(Clone, Copy)]
struct Within<'program> {
    module: usize,
    code: &'program ProgramModule,
    function: usize,
    function_code: &'program Function,
    /// Its number.
    callable: usize,
}

/// Where a statement leads to.
#[derive(Clone, Copy)]
struct Onward {
    after: FlowNode,
    raised: FlowNode,
}

impl<'program> FlowBuilder<'program> {
    fn build(program: &'program Program, entries: &[(usize, usize)]) -> FlowGraph {
        let mut builder = Self {
            program,
            graph: FlowGraph::default(),
            open: Vec::new(),
            hubs: BTreeMap::new(),
            funs: Vec::new(),
        };
        for (module, function) in entries {
            builder.callable(*module, Callable::Function(*function));
        }
        let mut connected = 0;
        loop {
            while let Some((module, callable)) = builder.open.pop() {
                builder.code_of(module, callable);
            }
            builder.open_exports();
            if builder.open.is_empty() && connected == builder.hubs.len() {
                break;
            }
            connected = builder.hubs.len();
        }
        builder.connect_hubs();
        builder.graph
    }

    fn node(&mut self) -> FlowNode {
        let number = u32::try_from(self.graph.edges.len()).expect("fewer than 2^32 statements");
        self.graph.edges.push(FlowEdges::default());
        number
    }

    fn edges(&mut self, node: FlowNode) -> &mut FlowEdges {
        let edges = self.graph.edges.get_mut(node as usize);
        edges.expect("a node is made with its edges")
    }

    fn step(&mut self, from: FlowNode, to: FlowNode, distance: u32) {
        self.edges(from).steps.push((to, distance));
    }

    fn new_callable(&mut self) -> usize {
        let [entry, exit, raised] = [(); 3].map(|()| self.node());
        let number = self.graph.callables.len();
        self.graph.callables.push(FlowCallable {
            entry,
            exit,
            raised,
            callers: Vec::new(),
        });
        self.graph.exits.insert(exit, number);
        self.graph.exceptional_exits.insert(raised, number);
        number
    }

    /// The number of a callable, whose code is looked at later.
    fn callable(&mut self, module: usize, callable: Callable) -> usize {
        if let Some(number) = self.graph.numbers.get(&(module, callable)) {
            return *number;
        }
        let number = self.new_callable();
        self.graph.numbers.insert((module, callable), number);
        self.open.push((module, callable));
        number
    }

    fn hub(&mut self, any: AnyOf) -> usize {
        if let Some(number) = self.hubs.get(&any) {
            return *number;
        }
        let number = self.new_callable();
        self.hubs.insert(any, number);
        number
    }

    fn call(&mut self, caller: usize, from: FlowNode, callee: usize, onward: Onward) {
        let Onward { after, raised } = onward;
        self.edges(from).calls.push(FlowCall { callee, after });
        if let Some(callable) = self.graph.callables.get_mut(callee) {
            callable.callers.push(FlowCaller {
                caller,
                after,
                raised,
            });
        }
    }

    fn code_of(&mut self, module: usize, callable: Callable) {
        let number = self.callable(module, callable);
        let FlowCallable {
            entry,
            exit,
            raised,
            ..
        } = *self.graph.callable(number);
        let code = self.program.module(module);
        let found = code.and_then(|code| {
            let (function, fun) = code.callable(callable)?;
            Some((code, function, fun, code.function(function)?))
        });
        let Some((code, function, fun, function_code)) = found else {
            return self.step(entry, exit, 0);
        };
        let within = Within {
            module,
            code,
            function,
            function_code,
            callable: number,
        };
        let onward = Onward {
            after: exit,
            raised,
        };
        let first = self.block(within, fun.body, onward);
        self.step(entry, first, 0);
    }

    /// The first node of a block.
    fn block(&mut self, within: Within<'program>, id: BlockId, onward: Onward) -> FlowNode {
        let block = within.function_code.block(id);
        for value in &block.result {
            self.functions_in(within, value);
        }
        let mut next = onward.after;
        for statement in block.statements.iter().rev() {
            let onward = Onward {
                after: next,
                ..onward
            };
            next = deep(|| self.statement(within, statement, onward));
        }
        next
    }

    fn statement(
        &mut self,
        within: Within<'program>,
        statement: &'program Statement,
        onward: Onward,
    ) -> FlowNode {
        let before = self.node();
        let nodes = StatementNodes {
            before,
            after: onward.after,
            raised: onward.raised,
            returns_or_raises: returns_or_raises(within.code, statement),
        };
        let place = (within.module, statement.site);
        self.graph.statements.insert(place, nodes);
        let first = match &statement.operation {
            Operation::Values(_) | Operation::Fun(_) => onward.after,
            Operation::Map { .. } | Operation::Binary(_) => {
                self.step(before, onward.raised, DECISION);
                onward.after
            }
            Operation::Apply { .. } | Operation::Call { .. } | Operation::Primop { .. } => {
                self.call_statement(within, statement, before, onward);
                self.values_of(within, statement, before, onward);
                return before;
            }
            Operation::Case { clauses, .. } => {
                self.clauses(within, statement, clauses, None, (before, onward));
                return before;
            }
            Operation::Receive {
                clauses, action, ..
            } => {
                self.clauses(within, statement, clauses, Some(*action), (before, onward));
                return before;
            }
            Operation::Letrec { body, .. } => self.block(within, *body, onward),
            Operation::Try {
                argument,
                body,
                handler,
                ..
            } => {
                let after = self.block(within, *body, onward);
                let raised = self.block(within, *handler, onward);
                self.block(within, *argument, Onward { after, raised })
            }
            Operation::Catch(body) => {
                let raised = onward.after;
                self.block(within, *body, Onward { raised, ..onward })
            }
        };
        self.values_of(within, statement, before, onward);
        self.step(before, first, 0);
        before
    }

    fn clauses(
        &mut self,
        within: Within<'program>,
        statement: &'program Statement,
        clauses: &'program [Clause],
        action: Option<BlockId>,
        (before, onward): (FlowNode, Onward),
    ) {
        let blocks: SmallVec<[BlockId; 4]> =
            clauses.iter().map(|it| it.body).chain(action).collect();
        let length = if blocks.len() > 1 { DECISION } else { 0 };
        let is_own = within.code.name == within.code.loaded_as;
        for (number, block) in blocks.into_iter().enumerate() {
            let node = self.node();
            let clause: FlowClause = (within.module, statement.site, number);
            self.graph.clauses.insert(clause, node);
            if is_own {
                self.graph.own_clauses.insert(node, clause);
            }
            let first = self.block(within, block, onward);
            self.step(node, first, 0);
            self.step(before, node, length);
        }
    }

    fn call_statement(
        &mut self,
        within: Within<'program>,
        statement: &'program Statement,
        before: FlowNode,
        onward: Onward,
    ) {
        let callee = match within.code.plan.kind(statement.site) {
            Some(CallKind::Followed(callee)) => Some(self.followed(within, callee)),
            Some(CallKind::Computed) => Some(self.computed(&statement.operation)),
            Some(CallKind::Raises) => return self.step(before, onward.raised, 0),
            Some(CallKind::Builtin | CallKind::Opaque) => None,
            Some(
                CallKind::Total
                | CallKind::StackTrace
                | CallKind::Peek
                | CallKind::Take
                | CallKind::Wait,
            )
            | None => return self.step(before, onward.after, 0),
        };
        self.step(before, onward.raised, DECISION);
        match callee {
            Some(callee) => self.call(within.callable, before, callee, onward),
            None => self.step(before, onward.after, 0),
        }
    }

    fn followed(&mut self, within: Within<'program>, callee: Callee) -> usize {
        match callee {
            Callee::Function(module, index) => self.callable(module, Callable::Function(index)),
            Callee::Local(local) => {
                let letrec = within.code.plan.letrec(within.function, local);
                self.callable(within.module, Callable::Local(letrec, local))
            }
        }
    }

    fn computed(&mut self, operation: &Operation) -> usize {
        let any = if let Operation::Call { arguments, .. } = operation {
            AnyOf::Exports(arguments.len())
        } else {
            // The first operand is the fun.
            AnyOf::Funs(operation.operands().len().saturating_sub(1))
        };
        self.hub(any)
    }

    /// The funs among the operands of a statement, and the fun that it makes. They may be called
    /// at once.
    fn values_of(
        &mut self,
        within: Within<'program>,
        statement: &'program Statement,
        before: FlowNode,
        onward: Onward,
    ) {
        let first = usize::from(matches!(&statement.operation, Operation::Apply { .. }));
        let first_fun = self.funs.len();
        for value in statement.operation.operands().into_iter().skip(first) {
            self.functions_in(within, value);
        }
        if let Operation::Fun(fun) = &statement.operation {
            let callable = self.callable(within.module, Callable::Fun(statement.site));
            self.funs.push((callable, fun.parameters.len()));
        }
        let made: Vec<(usize, usize)> = self.funs.iter().skip(first_fun).copied().collect();
        for (callable, _) in made {
            self.call(within.callable, before, callable, onward);
        }
    }

    /// Notes the functions that are parts of a value.
    fn functions_in(&mut self, within: Within<'program>, value: &'program Value) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::Variable(_) => {}
                Value::Literal(literal) => {
                    let terms = literal.subterms();
                    let funs = terms.filter_map(|term| match term {
                        Term::ExternalFun(fun) => {
                            let (name, arity) = (fun.name.clone(), fun.arity.into());
                            let id = FunctionId { name, arity };
                            self.program.exported(&fun.module, &id)
                        }
                        Term::Integer(_)
                        | Term::Float(_)
                        | Term::Atom(_)
                        | Term::Bits(..)
                        | Term::List(..)
                        | Term::Tuple(_)
                        | Term::Map(_)
                        | Term::TableFun(_) => None,
                    });
                    for (module, index) in funs.collect::<Vec<_>>() {
                        self.note_fun(module, Callable::Function(index));
                    }
                }
                Value::Function(reference) => match &**reference {
                    FunctionRef::Module(id) => {
                        if let Some(index) = within.code.index(id) {
                            self.note_fun(within.module, Callable::Function(index));
                        }
                    }
                    FunctionRef::Local(local) => {
                        let letrec = within.code.plan.letrec(within.function, *local);
                        self.note_fun(within.module, Callable::Local(letrec, *local));
                    }
                },
                Value::Cons(parts) => open.extend([&parts.0, &parts.1]),
                Value::Tuple(elements) => open.extend(elements.iter()),
            }
        }
    }

    fn note_fun(&mut self, module: usize, callable: Callable) {
        let number = self.callable(module, callable);
        let code = self.program.module(module);
        let fun = code.and_then(|code| code.callable(callable));
        if let Some((_, fun)) = fun {
            self.funs.push((number, fun.parameters.len()));
        }
    }

    /// The exported functions that hubs need.
    fn exports(&self, arity: usize) -> Vec<(usize, usize)> {
        let modules = self.program.modules().iter().enumerate();
        let own = modules.filter(|(_, module)| module.name == module.loaded_as);
        let exports = own.flat_map(|(number, module)| {
            let exports = module.flat.exports.iter();
            let exports = exports.filter(move |it| it.arity as usize == arity);
            exports.filter_map(move |it| Some((number, module.index(it)?)))
        });
        exports.collect()
    }

    fn open_exports(&mut self) {
        let hubs: Vec<AnyOf> = self.hubs.keys().copied().collect();
        for hub in hubs {
            if let AnyOf::Exports(arity) = hub {
                for (module, index) in self.exports(arity) {
                    self.callable(module, Callable::Function(index));
                }
            }
        }
    }

    /// Connects hubs with all that they stand for.
    fn connect_hubs(&mut self) {
        self.funs.sort_unstable();
        self.funs.dedup();
        for (any, hub) in self.hubs.clone() {
            let callees: Vec<usize> = match any {
                AnyOf::Funs(arity) => {
                    let funs = self.funs.iter().filter(|it| it.1 == arity);
                    funs.map(|it| it.0).collect()
                }
                AnyOf::Exports(arity) => {
                    let exports = self.exports(arity).into_iter();
                    let exports = exports.map(|it| (it.0, Callable::Function(it.1)));
                    exports.map(|it| self.callable(it.0, it.1)).collect()
                }
            };
            let FlowCallable {
                entry,
                exit: after,
                raised,
                ..
            } = *self.graph.callable(hub);
            // It may be something else.
            self.step(entry, after, 0);
            for callee in callees {
                self.call(hub, entry, callee, Onward { after, raised });
            }
        }
    }
}

/// Whether a statement returns if its first way is taken, and raises if its second one is.
fn returns_or_raises(module: &ProgramModule, statement: &Statement) -> bool {
    let model = module.plan.model(statement.site);
    match &statement.operation {
        Operation::Map { .. } | Operation::Binary(_) => true,
        Operation::Call { .. } => {
            model.is_some_and(|model| matches!(model.meaning, Meaning::Rule(_, None)))
        }
        Operation::Values(_)
        | Operation::Apply { .. }
        | Operation::Primop { .. }
        | Operation::Fun(_)
        | Operation::Case { .. }
        | Operation::Letrec { .. }
        | Operation::Try { .. }
        | Operation::Catch(_)
        | Operation::Receive { .. } => false,
    }
}
