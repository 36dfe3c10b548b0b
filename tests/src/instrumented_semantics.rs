//! The instrumented semantics of the paper (Figure 4): the value of a flat program, and the events
//! that it gives on the way.
//!
//! It works on the flat form alone: on values, not on logs. An event names its place where the
//! paper writes out parameters, bound variables and patterns; [`trace_format::Notation`] finds
//! them there.
//!
//! Beyond the paper: guards; several values at once; calls of exported functions of other modules
//! of the program, which are as applications; an exception, whose event is the last one, since
//! the language has no handlers; and built-ins, whose event comes after them.

use std::cmp::Ordering;
use std::collections::HashMap;

use erlang_term::{Atom, Term, encode};
use flattener::ast::deep;
use flattener::flat::Callable;
use flattener::flat::{
    BlockId, Bound, Clause, Function, FunctionId, FunctionRef, Guard, GuardOperator, Module,
    Operation, Pattern, SiteId, Statement, Value, VarId,
};
use trace_format::{Event, EventKind, Payload};

/// How a program ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It has this value.
    Value(Term),
    /// It raises an exception.
    Exception(Exception),
}

/// An exception that nobody catches.
#[derive(Clone, Debug, PartialEq)]
pub struct Exception {
    /// `error`, `exit` or `throw`.
    pub class: &'static str,
    /// The reason.
    pub reason: Term,
}

impl Exception {
    fn error(reason: Term) -> Self {
        Self {
            class: "error",
            reason,
        }
    }
}

/// What a program does.
#[derive(Clone, Debug, PartialEq)]
pub struct Execution {
    /// Its events in order.
    pub events: Vec<Event>,
    /// How it ends.
    pub outcome: Outcome,
}

/// How far a program is followed.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many events there may be.
    pub events: usize,
    /// How many parts the value of a variable may have.
    pub parts: usize,
}

/// The semantics of a program.
#[derive(Clone, Debug)]
pub struct Semantics<'program> {
    modules: &'program [Module],
    /// Module and index of each function.
    functions: HashMap<(Atom, FunctionId), (usize, usize)>,
}

impl<'program> Semantics<'program> {
    /// The semantics of these modules, which are numbered in this order.
    pub fn new(modules: &'program [Module]) -> Self {
        let functions = modules.iter().enumerate().flat_map(|(number, module)| {
            let functions = module.functions.iter().enumerate();
            functions.map(move |(index, function)| {
                ((module.name.clone(), function.id.clone()), (number, index))
            })
        });
        Self {
            modules,
            functions: functions.collect(),
        }
    }

    /// Evaluates `apply f/n(arguments)` for a function of a module (Definition 3); `None` if that
    /// goes out of bounds.
    ///
    /// # Panics
    /// When the program is not of the language.
    pub fn execute(
        &self,
        (module, index): (usize, usize),
        arguments: Vec<Term>,
        bounds: Bounds,
    ) -> Option<Execution> {
        let mut evaluation = Evaluation {
            semantics: self,
            bounds,
            events: Vec::new(),
        };
        let outcome = match evaluation.function(module, index, arguments) {
            Ok(value) => Outcome::Value(value),
            Err(Stop::Raised(exception)) => Outcome::Exception(exception),
            Err(Stop::OutOfBounds) => return None,
        };
        Some(Execution {
            events: evaluation.events,
            outcome,
        })
    }
}

/// Why an evaluation stops.
enum Stop {
    Raised(Exception),
    OutOfBounds,
}

/// A function that is running: the context and the environment of the paper's rules.
struct Activation<'program> {
    module: usize,
    index: usize,
    function: &'program Function,
    /// By number of the variable.
    environment: Vec<Option<Term>>,
}

impl Activation<'_> {
    fn bind(&mut self, variable: VarId, value: Term) {
        let slot = self.environment.get_mut(variable.index());
        *slot.expect("the function has this variable") = Some(value);
    }

    fn get(&self, variable: VarId) -> &Term {
        let value = self.environment.get(variable.index());
        let value = value.and_then(Option::as_ref);
        value.expect("a variable is bound before it is used")
    }
}

struct Evaluation<'program> {
    semantics: &'program Semantics<'program>,
    bounds: Bounds,
    events: Vec<Event>,
}

impl<'program> Evaluation<'program> {
    fn emit(
        &mut self,
        activation: &Activation<'_>,
        site: Option<SiteId>,
        kind: EventKind,
    ) -> Result<(), Stop> {
        if self.events.len() >= self.bounds.events {
            return Err(Stop::OutOfBounds);
        }
        self.events.push(Event {
            module: activation.module,
            callable: Callable::Function(activation.index),
            site,
            kind,
        });
        Ok(())
    }

    /// The body of a function, and its `exit`.
    fn function(
        &mut self,
        module: usize,
        index: usize,
        arguments: Vec<Term>,
    ) -> Result<Term, Stop> {
        let code = self.semantics.modules.get(module);
        let function = code.and_then(|code| code.functions.get(index));
        let function = function.expect("the program has this function");
        let mut activation = Activation {
            module,
            index,
            function,
            environment: vec![None; function.variables.len()],
        };
        assert_eq!(arguments.len(), function.fun.parameters.len());
        for (parameter, argument) in function.fun.parameters.iter().zip(arguments) {
            activation.bind(*parameter, argument);
        }
        let mut values = self.block(&mut activation, function.fun.body)?;
        self.emit(&activation, None, EventKind::Exit)?;
        Ok(values.pop().expect("a function returns one value"))
    }

    fn block(
        &mut self,
        activation: &mut Activation<'program>,
        id: BlockId,
    ) -> Result<Vec<Term>, Stop> {
        let block = activation.function.block(id);
        for statement in &block.statements {
            let values = deep(|| self.operation(activation, statement))?;
            if let Bound::Variables(variables) = &statement.bound {
                assert_eq!(variables.len(), values.len());
                for (variable, value) in variables.iter().zip(values) {
                    if parts(&value, self.bounds.parts).is_none() {
                        return Err(Stop::OutOfBounds);
                    }
                    activation.bind(*variable, value);
                }
            }
        }
        Ok(evaluate_all(activation, &block.result))
    }

    fn operation(
        &mut self,
        activation: &mut Activation<'program>,
        statement: &'program Statement,
    ) -> Result<Vec<Term>, Stop> {
        let site = Some(statement.site);
        match &statement.operation {
            Operation::Values(values) => {
                let values = evaluate_all(activation, values);
                if statement.bound != Bound::Discarded {
                    self.emit(activation, site, EventKind::Bind)?;
                }
                Ok(values)
            }
            Operation::Apply {
                operator,
                arguments,
            } => {
                let callee = self.callee(activation, operator);
                let arguments = evaluate_all(activation, arguments);
                self.emit(activation, site, EventKind::Call)?;
                let value = self.function(callee.0, callee.1, arguments)?;
                Ok(vec![value])
            }
            Operation::Call {
                module,
                name,
                arguments,
            } => {
                let arguments = evaluate_all(activation, arguments);
                let (module, name) = (constant_atom(module), constant_atom(name));
                self.call(activation, site, module, name, arguments)
            }
            Operation::Primop { name, arguments } => {
                assert_eq!(name.as_str(), "match_fail");
                let mut arguments = evaluate_all(activation, arguments);
                self.emit(activation, site, EventKind::Raised(None))?;
                let reason = arguments.pop().expect("there is a reason");
                Err(Stop::Raised(Exception::error(reason)))
            }
            Operation::Case { arguments, clauses } => {
                let values = evaluate_all(activation, arguments);
                let (number, clause) = choose(activation, &values, clauses);
                self.emit(activation, site, EventKind::Case(number))?;
                let values = self.block(activation, clause.body)?;
                self.emit(activation, site, EventKind::ExitCase(number))?;
                Ok(values)
            }
            Operation::Map { .. }
            | Operation::Binary(_)
            | Operation::Fun(_)
            | Operation::Letrec { .. }
            | Operation::Try { .. }
            | Operation::Catch(_)
            | Operation::Receive { .. } => panic!("not of the language: {statement:?}"),
        }
    }

    fn callee(&self, activation: &Activation<'_>, operator: &Value) -> (usize, usize) {
        let Value::Function(function) = operator else {
            panic!("not of the language: apply {operator:?}");
        };
        let FunctionRef::Module(id) = &**function else {
            panic!("not of the language: apply {function:?}");
        };
        let module = self.semantics.modules.get(activation.module);
        let name = module.expect("a function is of a module").name.clone();
        let callee = self.semantics.functions.get(&(name, id.clone()));
        *callee.expect("the module has what it applies")
    }

    fn call(
        &mut self,
        activation: &Activation<'program>,
        site: Option<SiteId>,
        module: Atom,
        name: Atom,
        mut arguments: Vec<Term>,
    ) -> Result<Vec<Term>, Stop> {
        if module.as_str() != "erlang" {
            let arity = u32::try_from(arguments.len()).expect("few arguments");
            let callee = (module, FunctionId { name, arity });
            let callee = self.semantics.functions.get(&callee).copied();
            let (module, index) = callee.expect("the program has what it calls");
            self.emit(activation, site, EventKind::Call)?;
            let value = self.function(module, index, arguments)?;
            return Ok(vec![value]);
        }
        let raising = ["error", "exit", "throw"];
        if let Some(class) = raising.into_iter().find(|class| *class == name.as_str()) {
            self.emit(activation, site, EventKind::Raised(None))?;
            let reason = arguments.pop().expect("there is a reason");
            return Err(Stop::Raised(Exception { class, reason }));
        }
        match built_in(name.as_str(), &arguments) {
            Ok(value) => {
                self.emit(activation, site, EventKind::Builtin)?;
                Ok(vec![value])
            }
            Err(reason) => {
                let exception = Exception::error(Term::atom(reason));
                let class = Term::atom(exception.class);
                let both = Term::Tuple(vec![class, exception.reason.clone()]);
                let payload = Payload(encode(&both).into());
                self.emit(activation, site, EventKind::Raised(Some(payload)))?;
                Err(Stop::Raised(exception))
            }
        }
    }
}

/// How many parts a value has, unless there are more than `limit`.
fn parts(term: &Term, limit: usize) -> Option<usize> {
    let (elements, tail): (&[Term], Option<&Term>) = match term {
        Term::List(elements, tail) => (elements, tail.as_deref()),
        Term::Tuple(elements) => (elements, None),
        Term::Integer(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Map(_)
        | Term::Bits(..)
        | Term::ExternalFun(_)
        | Term::TableFun(_) => (&[], None),
    };
    let mut all = elements.iter().chain(tail);
    all.try_fold(1, |sum: usize, part| {
        let left = limit.checked_sub(sum)?;
        Some(sum + deep(|| parts(part, left))?)
    })
}

// ---- Values

fn constant_atom(value: &Value) -> Atom {
    let atom = value.as_literal().and_then(Term::as_atom);
    Atom::new(atom.expect("a call names its function"))
}

/// A value in an environment.
fn evaluate(activation: &Activation<'_>, value: &Value) -> Term {
    deep(|| match value {
        Value::Variable(variable) => activation.get(*variable).clone(),
        Value::Literal(term) => Term::clone(term),
        Value::Cons(parts) => {
            let head = evaluate(activation, &parts.0);
            Term::list_before(vec![head], evaluate(activation, &parts.1))
        }
        Value::Tuple(elements) => Term::Tuple(evaluate_all(activation, elements)),
        Value::Function(function) => panic!("not of the language: {function:?} as a value"),
    })
}

fn evaluate_all(activation: &Activation<'_>, values: &[Value]) -> Vec<Term> {
    let values = values.iter();
    values.map(|value| evaluate(activation, value)).collect()
}

// ---- Matching

/// The first clause that matches and whose guard holds, with its number from 1 (the paper's
/// `cmatch`). Its variables are bound.
fn choose<'program>(
    activation: &mut Activation<'program>,
    values: &[Term],
    clauses: &'program [Clause],
) -> (usize, &'program Clause) {
    for (index, clause) in clauses.iter().enumerate() {
        assert_eq!(values.len(), clause.patterns.len());
        let mut pairs = clause.patterns.iter().zip(values);
        if pairs.all(|(pattern, value)| matches(activation, pattern, value))
            && guard(activation, &clause.guard) == Term::atom("true")
        {
            return (index + 1, clause);
        }
    }
    panic!("not of the language: no clause for {values:?}")
}

/// Whether a value matches a pattern; binds its variables as far as it does.
fn matches(activation: &mut Activation<'_>, pattern: &Pattern, value: &Term) -> bool {
    deep(|| match pattern {
        Pattern::Variable(variable) => {
            activation.bind(*variable, value.clone());
            true
        }
        Pattern::Literal(literal) => **literal == *value,
        Pattern::Cons(parts) => match head_and_tail(value) {
            Some((head, tail)) => {
                matches(activation, &parts.0, head) && matches(activation, &parts.1, &tail)
            }
            None => false,
        },
        Pattern::Tuple(patterns) => match value.as_tuple() {
            Some(elements) if elements.len() == patterns.len() => {
                let mut pairs = patterns.iter().zip(elements);
                pairs.all(|(pattern, element)| matches(activation, pattern, element))
            }
            Some(_) | None => false,
        },
        Pattern::Alias(parts) => {
            activation.bind(parts.0, value.clone());
            matches(activation, &parts.1, value)
        }
        Pattern::Map(_) | Pattern::Binary(_) => panic!("not of the language: {pattern:?}"),
    })
}

fn head_and_tail(value: &Term) -> Option<(&Term, Term)> {
    let Term::List(elements, end) = value else {
        return None;
    };
    let (head, rest) = elements.split_first()?;
    let tail = match end {
        Some(end) if rest.is_empty() => (**end).clone(),
        Some(_) | None => Term::List(rest.to_vec(), end.clone()),
    };
    Some((head, tail))
}

/// The value of a guard.
fn guard(activation: &Activation<'_>, tree: &Guard) -> Term {
    deep(|| match tree {
        Guard::Value(value) => evaluate(activation, value),
        Guard::Call(call) => {
            let arguments = call.arguments.iter();
            let arguments: Vec<Term> = arguments.map(|it| guard(activation, it)).collect();
            match &call.operator {
                GuardOperator::Call(module, name) if module.as_str() == "erlang" => {
                    let value = built_in(name.as_str(), &arguments);
                    value.expect("guards of the language do not fail")
                }
                GuardOperator::Call(..) | GuardOperator::Primop(_) => {
                    panic!("not of the language: {call:?}")
                }
            }
        }
        Guard::Cons(_)
        | Guard::Tuple(_)
        | Guard::Map(_)
        | Guard::Binary(_)
        | Guard::Values(_)
        | Guard::Let(_)
        | Guard::Sequence(_)
        | Guard::Case(_)
        | Guard::Try(_) => panic!("not of the language: {tree:?}"),
    })
}

// ---- Built-ins

/// What a function of the module `erlang` returns, or the reason of the error that it raises.
fn built_in(name: &str, arguments: &[Term]) -> Result<Term, &'static str> {
    let integer = |value: i64| Term::Integer(value.into());
    let truth = |is: bool| Term::atom(if is { "true" } else { "false" });
    let length = |elements: &[Term]| integer(i64::try_from(elements.len()).unwrap_or(i64::MAX));
    match (name, arguments) {
        ("hd", [list]) => Ok(head_and_tail(list).ok_or("badarg")?.0.clone()),
        ("tl", [list]) => Ok(head_and_tail(list).ok_or("badarg")?.1),
        ("length", [list]) => Ok(length(list.as_list().ok_or("badarg")?)),
        ("tuple_size", [tuple]) => Ok(length(tuple.as_tuple().ok_or("badarg")?)),
        ("element", [index, tuple]) => {
            let index = index.as_i64().and_then(|index| usize::try_from(index).ok());
            let index = index.and_then(|index| index.checked_sub(1));
            let element = tuple.as_tuple().zip(index);
            let element = element.and_then(|(elements, index)| elements.get(index));
            element.cloned().ok_or("badarg")
        }
        ("-" | "div" | "rem", [left, right]) => arithmetic(name, left, right),
        ("is_atom", [value]) => Ok(truth(value.as_atom().is_some())),
        ("is_integer", [value]) => Ok(truth(value.as_i64().is_some())),
        ("is_list", [value]) => Ok(truth(matches!(value, Term::List(..)))),
        ("is_tuple", [value]) => Ok(truth(value.as_tuple().is_some())),
        ("not", [value]) => Ok(truth(!boolean(value)?)),
        ("and", [left, right]) => Ok(truth(boolean(left)? & boolean(right)?)),
        ("or", [left, right]) => Ok(truth(boolean(left)? | boolean(right)?)),
        ("=:=", [left, right]) => Ok(truth(left == right)),
        ("=/=", [left, right]) => Ok(truth(left != right)),
        ("<", [left, right]) => Ok(truth(compare(left, right).is_lt())),
        ("=<", [left, right]) => Ok(truth(compare(left, right).is_le())),
        (">", [left, right]) => Ok(truth(compare(left, right).is_gt())),
        (">=", [left, right]) => Ok(truth(compare(left, right).is_ge())),
        _ => panic!("not of the language: erlang:{name}/{}", arguments.len()),
    }
}

fn boolean(value: &Term) -> Result<bool, &'static str> {
    match value.as_atom() {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        _ => Err("badarg"),
    }
}

fn arithmetic(name: &str, left: &Term, right: &Term) -> Result<Term, &'static str> {
    let (left, right) = (left.as_i64(), right.as_i64());
    let (left, right) = left.zip(right).ok_or("badarith")?;
    let result = match name {
        "-" => left.checked_sub(right),
        "div" => left.checked_div(right),
        _ => left.checked_rem(right),
    };
    Ok(Term::Integer(result.ok_or("badarith")?.into()))
}

/// The order of terms: numbers, atoms, tuples, `[]`, lists.
fn compare(left: &Term, right: &Term) -> Ordering {
    deep(|| match (left, right) {
        (Term::Integer(left), Term::Integer(right)) => left.cmp(right),
        (Term::Atom(left), Term::Atom(right)) => left.as_str().cmp(right.as_str()),
        (Term::Tuple(left), Term::Tuple(right)) => {
            let sizes = left.len().cmp(&right.len());
            let mut pairs = left.iter().zip(right);
            sizes.then_with(|| {
                let differing = pairs.find_map(|(left, right)| {
                    let order = compare(left, right);
                    order.is_ne().then_some(order)
                });
                differing.unwrap_or(Ordering::Equal)
            })
        }
        _ => match (head_and_tail(left), head_and_tail(right)) {
            (Some((head, tail)), Some((other_head, other_tail))) => {
                compare(head, other_head).then_with(|| compare(&tail, &other_tail))
            }
            _ => rank(left).cmp(&rank(right)),
        },
    })
}

fn rank(term: &Term) -> u8 {
    match term {
        Term::Integer(_) | Term::Float(_) => 0,
        Term::Atom(_) => 1,
        Term::ExternalFun(_) | Term::TableFun(_) => 2,
        Term::Tuple(_) => 3,
        Term::Map(_) => 4,
        Term::List(elements, _) if elements.is_empty() => 5,
        Term::List(..) => 6,
        Term::Bits(..) => 7,
    }
}
