//! The running functions of a process, and the values of their variables.

use flattener::flat::{
    Block, BlockId, Bound, Callable, Fun, Function, FunctionRef, Statement, Value,
};
use solver::graph::{Graph, Node, NodeId};
use trace_format::{CallKind, Program, ProgramModule};

use super::places::Mark;
use super::play_marks::note_mark;
use super::replayed::{Misfit, ProgramSite};
use super::run_state::{Nodes, RunState};
use crate::rules::{Environment, Surroundings, evaluate, function_value};

/// A running function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'run> {
    pub(super) module: usize,
    pub(super) code: &'run ProgramModule,
    /// The top-level function that it is, or is in.
    pub(super) function: usize,
    pub(super) function_code: &'run Function,
    pub(super) callable: Callable,
    /// Its parameters, and the block whose values it returns.
    pub(super) fun: &'run Fun,
    /// Where in the caller the result is bound; `None` if the caller is not followed.
    pub(super) caller: Option<&'run Statement>,
}

impl<'run> Frame<'run> {
    /// A function that begins to run.
    pub(super) fn of(
        program: &'run Program,
        module: usize,
        callable: Callable,
        caller: Option<&'run Statement>,
    ) -> Option<Self> {
        let code = program.module(module)?;
        let (function, fun) = code.callable(callable)?;
        Some(Self {
            module,
            code,
            function,
            function_code: code.function(function)?,
            callable,
            fun,
            caller,
        })
    }
}

/// The variables that a function sees beside its arguments.
#[derive(Clone, Copy)]
pub(super) enum Around {
    Nothing,
    /// Those of the running function.
    Running,
    /// Those of the function that ran before, whose place it takes.
    Forgotten,
    /// Those that this fun captured.
    Closure(NodeId),
}

/// The running functions of a process.
#[derive(Debug)]
pub(super) struct Stack<'run> {
    /// The one that was called last.
    pub(super) frame: Frame<'run>,
    /// Its caller last, and so on.
    callers: Vec<Frame<'run>>,
    /// The variables of all frames.
    pub(super) environment: Environment,
}

impl<'run> Stack<'run> {
    /// A process that is about to call its first function.
    pub(super) fn new(entry: Frame<'run>) -> Self {
        Self {
            frame: entry,
            callers: Vec::new(),
            environment: Environment::default(),
        }
    }

    /// A process that starts in code which is not followed, with some function at the bottom that
    /// never runs.
    pub(super) fn outside(some: Frame<'run>) -> Self {
        let mut stack = Self::new(some);
        stack.environment.enter(0);
        stack
    }

    /// How many functions wait for others that they called.
    pub(super) fn depth(&self) -> usize {
        self.callers.len()
    }

    /// All running functions, the first one first.
    pub(super) fn frames(&self) -> impl Iterator<Item = &Frame<'run>> {
        self.callers.iter().chain([&self.frame])
    }

    pub(super) fn at(&self, statement: &Statement) -> ProgramSite {
        ProgramSite {
            module: self.frame.module,
            site: statement.site,
        }
    }

    pub(super) fn block(&self, id: BlockId) -> &'run Block {
        self.frame.function_code.block(id)
    }

    pub(super) fn call_kind(&self, statement: &Statement) -> Option<CallKind> {
        self.frame.code.plan.kind(statement.site)
    }

    // ---- Values

    #[inline]
    pub(super) fn value(&mut self, run: &mut RunState<'run>, value: &Value) -> NodeId {
        let surroundings = Surroundings {
            program: run.program,
            module: self.frame.module,
            function: self.frame.function,
        };
        let mut function = |graph: &mut Graph, environment: &Environment, it: &FunctionRef| {
            function_value(surroundings, graph, environment, it)
        };
        evaluate(
            &mut run.replayed.graph,
            &mut self.environment,
            value,
            &mut function,
        )
    }

    pub(super) fn values<'code>(
        &mut self,
        run: &mut RunState<'run>,
        values: impl IntoIterator<Item = &'code Value>,
    ) -> Nodes {
        let mut nodes = Nodes::new();
        for value in values {
            let node = self.value(run, value);
            nodes.push(node);
        }
        nodes
    }

    pub(super) fn block_values(&mut self, run: &mut RunState<'run>, id: BlockId) -> Nodes {
        let block = self.block(id);
        self.values(run, &block.result)
    }

    /// Binds the variables of a statement to its values.
    pub(super) fn bind(
        &mut self,
        run: &mut RunState<'run>,
        statement: &Statement,
        values: &[NodeId],
    ) {
        let places = &mut run.replayed.places;
        places.note(self.frame.module, Mark::Ended(statement.site));
        if let Bound::Variables(variables) = &statement.bound {
            self.environment.bind_all(variables, values);
        }
    }

    /// Notes that the run goes on in a block of the running function.
    pub(super) fn note_block(&self, run: &mut RunState<'run>, block: BlockId) {
        let Frame {
            module, function, ..
        } = self.frame;
        let places = &mut run.replayed.places;
        places.note(module, Mark::Block(function, block));
    }

    // ---- Calls and returns

    /// Begins to run a function that is called.
    pub(super) fn enter(
        &mut self,
        run: &mut RunState<'run>,
        (module, callable): (usize, Callable),
        around: Around,
        arguments: &[NodeId],
        caller: Option<&'run Statement>,
    ) -> Result<(), Misfit> {
        let callee = Frame::of(run.program, module, callable, caller);
        let callee = callee.ok_or(Misfit("there is no such function"))?;
        self.callers
            .push(std::mem::replace(&mut self.frame, callee));
        self.begin(run, around, arguments);
        Ok(())
    }

    /// Begins to run a function that is called in tail position, in place of its caller.
    pub(super) fn enter_instead(
        &mut self,
        run: &mut RunState<'run>,
        (module, callable): (usize, Callable),
        around: Around,
        arguments: &[NodeId],
    ) -> Result<(), Misfit> {
        let callee = Frame::of(run.program, module, callable, self.frame.caller);
        self.frame = callee.ok_or(Misfit("there is no such function"))?;
        if matches!(around, Around::Running) {
            self.begin(run, Around::Forgotten, arguments);
        } else {
            self.environment.leave(self.callers.len());
            self.begin(run, around, arguments);
        }
        Ok(())
    }

    /// Binds the parameters of the function that is to run.
    pub(super) fn begin(&mut self, run: &mut RunState<'run>, around: Around, arguments: &[NodeId]) {
        let Frame {
            module,
            function,
            fun,
            function_code,
            ..
        } = self.frame;
        match around {
            Around::Forgotten => {}
            Around::Running => self.environment.enter_within(),
            Around::Nothing | Around::Closure(_) => {
                self.environment.enter(function_code.variables.len());
            }
        }
        if let Around::Closure(closure) = around
            && let Node::Closure(closure) = run.replayed.graph.node(closure)
        {
            for (variable, value) in &closure.captured {
                self.environment.bind(*variable, *value);
            }
        }
        self.environment.bind_all(&fun.parameters, arguments);
        if matches!(self.frame.callable, Callable::Function(_)) {
            run.replayed.functions.insert((module, function));
            if let Some(marks) = run.marks.filter(|it| it.modules.marks == module) {
                note_mark(run, marks, function, arguments);
            }
        }
        let places = &mut run.replayed.places;
        places.note(module, Mark::Block(function, fun.body));
    }

    /// Returns from the running function. Whether it was not the first one.
    pub(super) fn leave(&mut self) -> bool {
        self.environment.leave(self.callers.len());
        match self.callers.pop() {
            Some(frame) => {
                self.frame = frame;
                true
            }
            None => false,
        }
    }

    /// Leaves all functions that were called since the stack had this depth.
    pub(super) fn unwind(&mut self, depth: usize) {
        if let Some(frame) = self.callers.get(depth) {
            self.frame = *frame;
        }
        self.callers.truncate(depth);
        self.environment.leave(depth + 1);
    }
}
