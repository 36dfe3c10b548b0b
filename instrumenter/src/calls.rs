//! Calls, and the events that they log.

use flattener::ast::Child;
use flattener::flat::{Bound, FunctionId, FunctionRef, Operation, Statement, Value};
use models::Step;
use trace_format::{CallKind, Callee, offset};

use crate::function_state::{Building, Instrumenter, Pending};
use crate::guarding::{call_of, in_try};
use crate::runtime::{self, atom, atom_value, integer, list, statement};
use crate::wrapper::fresh_variable;

impl Instrumenter<'_> {
    pub(crate) fn call(&mut self, mut statement: Statement, building: &mut Building) {
        let site = statement.site;
        let Some(kind) = self.code.plan.kind(site) else {
            building.statements.push(statement);
            return;
        };
        match kind {
            // Looks at the next message.
            CallKind::Followed(Callee::Local(local)) if building.pending.message.is_some() => {
                building.pending = Pending::default();
                self.redirect_local(&mut statement.operation, local);
                building.statements.push(statement);
            }
            CallKind::Followed(callee) => {
                if self.is_full() || self.code.plan.is_on_lean_wire(site) {
                    building.emit(self.number(site, offset::CALL));
                }
                self.redirect(&mut statement.operation, callee);
                building.push_settled(statement);
            }
            CallKind::Computed => {
                let number = integer(i64::from(self.number(site, offset::RESULT)));
                computed(&mut statement.operation, number);
                building.push_settled(statement);
            }
            CallKind::Opaque => {
                let number = integer(i64::from(self.number(site, offset::RESULT)));
                opaque(&mut statement.operation, number);
                building.push_settled(statement);
            }
            CallKind::Builtin => self.guarded(statement, offset::RESULT, building),
            CallKind::Total => {
                building.statements.push(statement);
                if self.is_full() {
                    building.emit(self.number(site, offset::RESULT));
                }
            }
            CallKind::StackTrace => {
                let number = integer(i64::from(self.number(site, offset::RESULT)));
                let raw = fresh_variable(&mut self.function);
                let bound = std::mem::replace(&mut statement.bound, Bound::Variables(vec![raw]));
                building.push_settled(statement);
                let stack = runtime::call("stack", vec![number, Value::Variable(raw)]);
                building.statements.push(runtime::statement(bound, stack));
            }
            CallKind::Raises => {
                if self.is_full() {
                    building.emit(self.number(site, offset::CALL));
                }
                building.push_settled(statement);
            }
            CallKind::Peek => {
                let message = match &statement.bound {
                    Bound::Variables(variables) => variables.last().copied(),
                    Bound::Discarded => None,
                };
                building.push_settled(statement);
                building.pending.message = message;
            }
            CallKind::Take => {
                building.statements.push(statement);
                let message = building
                    .end_region()
                    .map_or(atom("undefined"), Value::Variable);
                let number = self.number(site, offset::RESULT);
                building.statements.push(runtime::value(number, message));
            }
            CallKind::Wait => building.statements.push(statement),
        }
    }

    /// A followed call goes to the instrumented body.
    fn redirect(&self, operation: &mut Operation, callee: Callee) {
        let (module, index) = match callee {
            Callee::Function(module, index) => (module, index),
            Callee::Local(local) => return self.redirect_local(operation, local),
        };
        let target = self.program.module(module);
        let Some((target, function, name)) = target
            .and_then(|target| Some((target, target.function(index)?, target.body_name(index)?)))
        else {
            return;
        };
        let name = name.clone();
        if let Operation::Apply { operator, .. } = operation {
            let arity = function.id.arity;
            let id = FunctionId { name, arity };
            *operator = Value::Function(Child::new(FunctionRef::Module(id)));
        } else if let Operation::Call {
            module: target_module,
            name: target_name,
            ..
        } = operation
        {
            *target_module = atom_value(target.loaded_as.clone());
            *target_name = atom_value(name);
        }
    }

    /// An operation that may raise. If it does, that is logged.
    pub(crate) fn guarded(&mut self, source: Statement, returned: u32, building: &mut Building) {
        let site = source.site;
        let is_logged = self.is_full() || self.code.plan.is_on_lean_wire(site);
        let number = integer(i64::from(site.0));
        let guarded = match self.builtins.shared(&source.operation) {
            Some(shared) => Statement {
                operation: call_of(shared, number, source.operation),
                ..source
            },
            None => {
                let Statement {
                    bound,
                    operation,
                    annotations,
                    ..
                } = source;
                let function = &mut self.function;
                let guarded = in_try(function, operation, annotations, self.module, number);
                statement(bound, guarded)
            }
        };
        building.push_settled(guarded);
        if is_logged {
            building.emit(self.number(site, returned));
        }
    }
}

/// Calls through the runtime, which knows which functions are followed.
fn computed(operation: &mut Operation, number: Value) {
    let all = if let Operation::Apply {
        operator,
        arguments,
    } = operation
    {
        vec![number, operator.clone(), list(arguments.drain(..))]
    } else if let Operation::Call {
        module,
        name,
        arguments,
    } = operation
    {
        if is_apply(module, name) {
            // `erlang:apply/2,3`: the arguments are a list already.
            std::iter::once(number).chain(arguments.drain(..)).collect()
        } else {
            let list = list(arguments.drain(..));
            vec![number, module.clone(), name.clone(), list]
        }
    } else {
        return;
    };
    *operation = runtime::call("apply", all);
}

fn is_apply(module: &Value, name: &Value) -> bool {
    let is = |value: &Value, text| value.as_literal().and_then(|it| it.as_atom()) == Some(text);
    is(module, "erlang") && is(name, "apply")
}

/// Calls code that is not followed through the runtime, which counts steps.
fn opaque(operation: &mut Operation, number: Value) {
    let step = step_of(operation);
    if let Operation::Call {
        module,
        name,
        arguments,
    } = std::mem::replace(operation, Operation::Values(Vec::new()))
    {
        let arguments = list(arguments.into_iter());
        *operation = match step {
            Some(step) => {
                let kind = atom(step.kind.name());
                runtime::call("step", vec![number, kind, module, name, arguments])
            }
            None => runtime::call("opaque", vec![number, module, name, arguments]),
        };
    }
}

/// The step that an operation is, if it is one.
fn step_of(operation: &Operation) -> Option<&'static Step> {
    let Operation::Call {
        module,
        name,
        arguments,
    } = operation
    else {
        return None;
    };
    let arity = u32::try_from(arguments.len()).ok()?;
    let (module, name) = (module.as_literal()?, name.as_literal()?);
    models::step(module.as_atom()?, name.as_atom()?, arity)
}
