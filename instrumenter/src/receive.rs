//! Receives that the gate controls.
//!
//! A `receive` becomes a loop that does not wait: when it finds nothing, it asks the runtime, which
//! answers `again` or `timeout` when the process may go on. Nothing is logged by looking again.
//!
//! ```text
//! let <X> =
//!   letrec 'recv$^0'/0 = fun () -> …
//!     let <F> = primop 'recv_wait_timeout'(T) in
//!     case F of
//!       <'true'> -> Action
//!       <'false'> -> apply 'recv$^0'/0()
//!   in apply 'recv$^0'/0()
//!
//! becomes
//!
//! let <X> =
//!   letrec '@again0'/0 = fun () ->
//!     let <W> = call 'erlconcolic_lease':'wait_time'(T) in
//!     letrec 'recv$^0'/0 = fun () -> …
//!       let <F> = primop 'recv_wait_timeout'(W) in
//!       case F of
//!         <'true'> ->
//!           case call 'erlconcolic_lease':'timed_out'(T, Place) of
//!             <'again'> -> apply '@again0'/0()
//!             <_> -> Action
//!         <'false'> -> apply 'recv$^0'/0()
//!     in apply 'recv$^0'/0()
//!   in apply '@again0'/0()
//! ```
//!
//! `wait_time` is 0 in a process that is controlled and `T` in all others, which wait as they always
//! did. The loop is an ordinary `letrec` around the receive, because OTP miscompiles calls between
//! looking at a message and taking it.
//!
//! Stacks show the function of the loop as the one around it (`erlconcolic_names`). The name of the
//! loop says whether it was called in tail position: if not, both are on the stack.

use erlang_term::{Atom, Term};
use flattener::ast::{Annotations, Child, deep};
use flattener::flat::{
    Block, BlockId, Bound, Clause, Fun, Function, FunctionId, FunctionRef, Guard, LocalFunction,
    LocalId, Operation, Pattern, Statement, Value, VarId,
};

use crate::runtime::{atom, binding, integer, statement};
use crate::wrapper::{count, fresh_variable, new_block, tail_block};

const LEASES: &str = "erlconcolic_lease";

/// In place of values, where a receive with several values looks again.
const AGAIN: &str = "$erlconcolic_again";

/// Makes the receives of an instrumented function ask the gate.
pub(crate) fn control(function: &mut Function) {
    let body = function.fun.body;
    Receives { function }.block(body, true);
}

struct Receives<'function> {
    function: &'function mut Function,
}

/// Where a receive waits.
struct Wait {
    block: BlockId,
    /// The statement that waits.
    at: usize,
    /// How long.
    time: Time,
    /// The block that runs when the time is over.
    action: BlockId,
}

/// How long a receive waits.
struct Time {
    of_source: Value,
    /// Where the receive stands in the source.
    place: Annotations,
}

impl Time {
    /// The place as in a stack. Calls have lines of their own, but the BEAM does not know them all:
    /// a line is lost where a tail call before it has the same one.
    fn place_value(&self) -> Value {
        let pair = |key, value| Term::Tuple(vec![Term::atom(key), value]);
        let number = |value: u32| Term::Integer(i64::from(value).into());
        let file = self.place.file();
        let file = file.map(|it| Term::list(it.chars().map(|it| number(it.into()))));
        let line = self.place.position().map(|it| number(it.0));
        Value::literal(match (file, line) {
            (Some(file), Some(line)) => Term::list([pair("file", file), pair("line", line)]),
            (Some(_), None) | (None, _) => Term::list([]),
        })
    }
}

impl Receives<'_> {
    /// Changes the receives in a block. `is_tail`: nothing of the function comes after it.
    fn block(&mut self, id: BlockId, is_tail: bool) {
        let is_last = is_tail && self.function.block(id).ends_in_tail_position();
        let block = std::mem::take(self.block_mut(id));
        let last = block.statements.len().saturating_sub(1);
        let mut statements = Vec::with_capacity(block.statements.len());
        for (index, statement) in block.statements.into_iter().enumerate() {
            let is_tail = is_last && index == last;
            deep(|| self.parts(&statement, is_tail));
            self.statement(statement, is_tail, &mut statements);
        }
        *self.block_mut(id) = Block {
            statements,
            result: block.result,
        };
    }

    fn block_mut(&mut self, id: BlockId) -> &mut Block {
        let block = self.function.blocks.get_mut(id.index());
        block.expect("a block id is made with its block")
    }

    /// Changes the receives inside a statement.
    fn parts(&mut self, statement: &Statement, is_tail: bool) {
        match &statement.operation {
            Operation::Values(_)
            | Operation::Apply { .. }
            | Operation::Call { .. }
            | Operation::Primop { .. }
            | Operation::Map { .. }
            | Operation::Binary(_) => {}
            Operation::Fun(fun) => self.block(fun.body, true),
            Operation::Case { clauses, .. } => self.clauses(clauses, is_tail),
            Operation::Letrec { definitions, body } => {
                let is_tail_inside = is_tail || !is_label(statement);
                for local in definitions {
                    self.block(local.fun.body, is_tail_inside);
                }
                self.block(*body, is_tail);
            }
            Operation::Try {
                argument,
                body,
                handler,
                ..
            } => {
                self.block(*argument, false);
                self.block(*body, is_tail);
                self.block(*handler, is_tail);
            }
            Operation::Catch(body) => self.block(*body, false),
            Operation::Receive {
                clauses, action, ..
            } => {
                self.clauses(clauses, is_tail);
                self.block(*action, is_tail);
            }
        }
    }

    fn clauses(&mut self, clauses: &[Clause], is_tail: bool) {
        clauses.iter().for_each(|it| self.block(it.body, is_tail));
    }

    /// Adds a statement, with a loop around it if it is a receive.
    fn statement(&mut self, mut source: Statement, is_tail: bool, out: &mut Vec<Statement>) {
        let values = match &source.bound {
            Bound::Variables(variables) => variables.len(),
            Bound::Discarded => 1,
        };
        if values == 0 {
            out.push(source);
            return;
        }
        let again = self.new_local(is_tail);
        let wait_time = fresh_variable(self.function);
        let time = if let Operation::Receive {
            timeout, action, ..
        } = &mut source.operation
        {
            let time = Time {
                of_source: timeout.clone(),
                place: self.place(&source.annotations),
            };
            *action = self.asking(*action, &time, (again, values));
            *timeout = Value::Variable(wait_time);
            time
        } else if let Some((wait, before)) = self.receive(&source) {
            out.extend(before);
            self.wait(wait, wait_time, (again, values))
        } else {
            self.function.locals.pop();
            out.push(source);
            return;
        };
        self.around(source, (wait_time, time), (again, values), out);
    }

    /// Where a receive stands, or at least its function.
    fn place(&self, found: &Annotations) -> Annotations {
        let has_place = found.position().is_some();
        let known = if has_place {
            found
        } else {
            &self.function.fun.annotations
        };
        known.clone()
    }

    /// The name of a loop.
    fn new_local(&mut self, is_tail: bool) -> LocalId {
        let id = LocalId(count(self.function.locals.len()));
        let tail = if is_tail { "tail_" } else { "" };
        let name = Atom::new(format!("@{tail}again{}", id.0));
        self.function.locals.push(FunctionId { name, arity: 0 });
        id
    }

    /// Where a receive waits, if this is one, and what it logs before it looks at a message.
    fn receive(&mut self, source: &Statement) -> Option<(Wait, Vec<Statement>)> {
        let Operation::Letrec { definitions, body } = &source.operation else {
            return None;
        };
        let [local] = definitions.as_slice() else {
            return None;
        };
        if !is_label(source) {
            return None;
        }
        let wait = self.find_wait(local.fun.body, &Annotations::default())?;
        let statements = &mut self.block_mut(*body).statements;
        let last = statements.len().saturating_sub(1);
        Some((wait, statements.drain(..last).collect()))
    }

    fn find_wait(&self, id: BlockId, place: &Annotations) -> Option<Wait> {
        let statements = &self.function.block(id).statements;
        let mut place = place;
        for (at, statement) in statements.iter().enumerate() {
            match &statement.operation {
                Operation::Primop { name, .. } if name.as_str() == "recv_peek_message" => {
                    place = &statement.annotations;
                }
                Operation::Primop { name, arguments } if name.as_str() == "recv_wait_timeout" => {
                    return Some(Wait {
                        block: id,
                        at,
                        time: Time {
                            of_source: arguments.first()?.clone(),
                            place: self.place(place),
                        },
                        action: self.action(statement, statements)?,
                    });
                }
                Operation::Case { clauses, .. } => {
                    let mut clauses = clauses.iter();
                    let found = clauses.find_map(|it| deep(|| self.find_wait(it.body, place)));
                    if found.is_some() {
                        return found;
                    }
                }
                Operation::Values(_)
                | Operation::Apply { .. }
                | Operation::Call { .. }
                | Operation::Primop { .. }
                | Operation::Map { .. }
                | Operation::Binary(_)
                | Operation::Fun(_)
                | Operation::Letrec { .. }
                | Operation::Try { .. }
                | Operation::Catch(_)
                | Operation::Receive { .. } => {}
            }
        }
        None
    }

    /// The block that runs when the time is over.
    fn action(&self, wait: &Statement, statements: &[Statement]) -> Option<BlockId> {
        let Bound::Variables(variables) = &wait.bound else {
            return None;
        };
        let [is_over] = variables.as_slice() else {
            return None;
        };
        statements.iter().find_map(|it| {
            let Operation::Case { arguments, clauses } = &it.operation else {
                return None;
            };
            let of_wait = matches!(arguments.as_slice(), [Value::Variable(it)] if it == is_over);
            let chosen = clauses.iter().find(|it| is_true(it));
            chosen.filter(|_| of_wait).map(|it| it.body)
        })
    }

    /// Changes where a receive waits. Returns its original time.
    fn wait(&mut self, wait: Wait, wait_time: VarId, again: (LocalId, usize)) -> Time {
        let asking = self.asking(wait.action, &wait.time, again);
        for statement in &mut self.block_mut(wait.block).statements {
            if let Operation::Case { clauses, .. } = &mut statement.operation {
                let actions = clauses.iter_mut().filter(|it| it.body == wait.action);
                actions.for_each(|it| it.body = asking);
            }
        }
        let waits = self.block_mut(wait.block).statements.get_mut(wait.at);
        if let Some(Operation::Primop { arguments, .. }) = waits.map(|it| &mut it.operation) {
            *arguments = vec![Value::Variable(wait_time)];
        }
        wait.time
    }

    /// A block that asks whether to look again before it goes on in the block of the timeout.
    fn asking(
        &mut self,
        action: BlockId,
        time: &Time,
        (again, values): (LocalId, usize),
    ) -> BlockId {
        let answer = fresh_variable(self.function);
        let other = fresh_variable(self.function);
        let looks_again = if values == 1 {
            tail_block(self.function, call_of(again))
        } else {
            let result = vec![atom(AGAIN); values];
            new_block(
                self.function,
                Block {
                    statements: Vec::new(),
                    result,
                },
            )
        };
        let choice = Operation::Case {
            arguments: vec![Value::Variable(answer)],
            clauses: vec![
                clause(
                    Pattern::Literal(Child::new(Term::atom("again"))),
                    looks_again,
                ),
                clause(Pattern::Variable(other), action),
            ],
        };
        let arguments = vec![time.of_source.clone(), time.place_value()];
        let asked = lease_call(answer, "timed_out", arguments);
        let results = self.fresh(values);
        let bound = Bound::Variables(results.clone());
        let block = Block {
            statements: vec![asked, statement(bound, choice)],
            result: results.into_iter().map(Value::Variable).collect(),
        };
        new_block(self.function, block)
    }

    /// Puts the loop around a receive.
    fn around(
        &mut self,
        source: Statement,
        (wait_time, time): (VarId, Time),
        (again, values): (LocalId, usize),
        out: &mut Vec<Statement>,
    ) {
        let asked = lease_call(wait_time, "wait_time", vec![time.of_source]);
        let results = self.fresh(values);
        let receive = Statement {
            bound: Bound::Variables(results.clone()),
            ..source
        };
        let mut statements = vec![asked, receive];
        let one = self.one_value(&results, again, &mut statements);
        let body = new_block(
            self.function,
            Block {
                statements,
                result: vec![one],
            },
        );
        let letrec = self.letrec(again, body);
        if values == 1 {
            out.push(statement(source.bound, letrec));
        } else {
            self.several_values(source.bound, letrec, out);
        }
    }

    fn letrec(&mut self, again: LocalId, body: BlockId) -> Operation {
        let start = tail_block(self.function, call_of(again));
        Operation::Letrec {
            definitions: vec![LocalFunction {
                id: again,
                fun: Fun {
                    parameters: Vec::new(),
                    body,
                    annotations: Annotations::default(),
                },
                name_annotations: Annotations::default(),
            }],
            body: start,
        }
    }

    /// The value that the function of the loop returns: several travel in a tuple.
    fn one_value(
        &mut self,
        results: &[VarId],
        again: LocalId,
        statements: &mut Vec<Statement>,
    ) -> Value {
        let values = || results.iter().copied().map(Value::Variable);
        let [first, _, ..] = results else {
            return values().next().unwrap_or_else(|| atom("true"));
        };
        let other = fresh_variable(self.function);
        let looks_again = tail_block(self.function, call_of(again));
        let tuple = Block {
            statements: Vec::new(),
            result: vec![Value::Tuple(Child::new(values().collect()))],
        };
        let tuple = new_block(self.function, tuple);
        let one = fresh_variable(self.function);
        let choice = Operation::Case {
            arguments: vec![Value::Variable(*first)],
            clauses: vec![
                clause(Pattern::Literal(Child::new(Term::atom(AGAIN))), looks_again),
                clause(Pattern::Variable(other), tuple),
            ],
        };
        statements.push(binding(one, choice));
        Value::Variable(one)
    }

    /// Binds the values in the tuple that the loop returns.
    fn several_values(&mut self, bound: Bound, letrec: Operation, out: &mut Vec<Statement>) {
        let tuple = fresh_variable(self.function);
        out.push(binding(tuple, letrec));
        let Bound::Variables(variables) = bound else {
            return;
        };
        for (variable, position) in variables.into_iter().zip(1..) {
            let element = Operation::Call {
                module: atom("erlang"),
                name: atom("element"),
                arguments: vec![integer(position), Value::Variable(tuple)],
            };
            out.push(binding(variable, element));
        }
    }

    fn fresh(&mut self, number: usize) -> Vec<VarId> {
        let variables = 0..number;
        variables.map(|_| fresh_variable(self.function)).collect()
    }
}

fn is_label(statement: &Statement) -> bool {
    statement.annotations.has("letrec_goto")
}

fn is_true(clause: &Clause) -> bool {
    matches!(
        clause.patterns.as_slice(),
        [Pattern::Literal(literal)] if literal.as_atom() == Some("true")
    )
}

fn call_of(again: LocalId) -> Operation {
    Operation::Apply {
        operator: Value::Function(Child::new(FunctionRef::Local(again))),
        arguments: Vec::new(),
    }
}

fn lease_call(variable: VarId, function: &str, arguments: Vec<Value>) -> Statement {
    let call = Operation::Call {
        module: atom(LEASES),
        name: atom(function),
        arguments,
    };
    binding(variable, call)
}

fn clause(pattern: Pattern, body: BlockId) -> Clause {
    Clause {
        patterns: vec![pattern],
        guard: Guard::Value(atom("true")),
        body,
        annotations: Annotations::default(),
    }
}
