//! Calls of what only the run can tell: a function by a name that is a value, or a fun.

use flattener::flat::{Operation, Statement};

use smallvec::smallvec;

use super::calls::call_by_name;
use super::opaque::{is_apply, name};
use super::{Misfit, Nodes, OpaqueCall, Replay};
use solver::graph::{Condition, Kinds, Node, NodeId};

/// What a name that depends on the input stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// A function of the program: which one is decided.
    Function,
    /// Nothing: a module of the program has no such function.
    Nothing,
    /// Something else, perhaps.
    Open,
}

/// What is called.
struct Callee {
    module: NodeId,
    name: NodeId,
    arity: u32,
}

impl<'run> Replay<'run> {
    /// A call was made whose callee the program computes. If that depends on the input, every
    /// function that it could be is another way. Returns whether that is all there is to it.
    pub(super) fn choose_callee(&mut self, statement: &'run Statement) -> Result<bool, Misfit> {
        let operation = &statement.operation;
        let chosen = self.what_is_called(statement)?;
        if !self.is_open(&chosen) {
            return Ok(false);
        }
        if let Some(callee) = self.named_callee(statement)?
            && self.decide_callee(statement, &callee)? != Named::Open
        {
            return Ok(true);
        }
        let place = Some((self.frame.module, statement.site));
        let name = name(operation);
        self.replayed.opaque.push(OpaqueCall { name, place });
        self.note_given(statement, &chosen)?;
        Ok(false)
    }

    /// What a call depends on, beside its arguments. A fun that is known calls the same code
    /// whatever it took along.
    fn what_is_called(&mut self, statement: &'run Statement) -> Result<Nodes, Misfit> {
        let mut chosen = match &statement.operation {
            Operation::Apply { operator, .. } => smallvec![self.value(operator)],
            Operation::Call {
                module,
                name,
                arguments,
            } => {
                let mut chosen = self.values([module, name]);
                if is_apply(module, name) {
                    let mut arguments = self.values(arguments);
                    if let Some(list) = arguments.pop() {
                        arguments.push(self.end_of_list(list));
                    }
                    chosen.extend(arguments);
                }
                chosen
            }
            _ => return Err(self.misfit("there is no call")),
        };
        let graph = &self.replayed.graph;
        chosen.retain(|node: &mut NodeId| !matches!(graph.node(*node), Node::Closure(_)));
        Ok(chosen)
    }

    /// The callee of a call by name; `None` for funs, and if the number of arguments is not known.
    fn named_callee(&mut self, statement: &'run Statement) -> Result<Option<Callee>, Misfit> {
        let Some((module, name, arguments)) = call_by_name(&statement.operation) else {
            return Ok(None);
        };
        let arguments_given = self.values(arguments);
        let (module, name, arity) = if is_apply(module, name) {
            let &[module, name, list] = arguments_given.as_slice() else {
                return Ok(None);
            };
            let end = self.end_of_list(list);
            if *self.graph().node(end) != Node::Nil {
                return Ok(None);
            }
            (module, name, self.applied(&arguments_given).1.len())
        } else {
            (self.value(module), self.value(name), arguments_given.len())
        };
        Ok(u32::try_from(arity).ok().map(|arity| Callee {
            module,
            name,
            arity,
        }))
    }

    /// Decides which function of the program is named, or none of them.
    fn decide_callee(
        &mut self,
        statement: &'run Statement,
        callee: &Callee,
    ) -> Result<Named, Misfit> {
        let mut ways = Vec::new();
        for module in self.program.modules() {
            let module_name = self.graph().atom(module.name.as_str());
            let is_module = self.graph().equal(callee.module, module_name);
            let exports = module.flat.exports.iter();
            for export in exports.filter(|it| it.arity == callee.arity) {
                let name = self.graph().atom(export.name.as_str());
                let is_name = self.graph().equal(callee.name, name);
                let way = self.graph().all([is_module, is_name]);
                if way != Condition::FALSE {
                    ways.push(way);
                }
            }
        }
        let is_known_module = match self.graph().node(callee.module).clone() {
            Node::Atom(name) => self.program.number(&name).is_some(),
            _ => false,
        };
        // What is no name is another error than what names no function.
        let names = [callee.module, callee.name].map(|it| self.graph().kind(Kinds::ATOM, it));
        ways.push(self.graph().all(names));
        ways.push(Condition::TRUE);
        let functions = ways.len() - 2;
        let Some(taken) = self.choose(statement, &ways)? else {
            return Ok(Named::Open);
        };
        let is_of_program = taken < functions;
        Ok(match (is_of_program, is_known_module) {
            (true, _) => Named::Function,
            (false, true) => Named::Nothing,
            (false, false) => Named::Open,
        })
    }

    /// Decides which function `fun Module:Name/Arity` stands for.
    pub(super) fn fun_by_name(
        &mut self,
        statement: &'run Statement,
        arguments: &[NodeId],
    ) -> Result<Named, Misfit> {
        let &[module, name, arity] = arguments else {
            return Ok(Named::Open);
        };
        let arity = match self.graph().node(arity) {
            Node::Integer(value) => value.to_i64().and_then(|it| u32::try_from(it).ok()),
            _ => None,
        };
        match arity {
            Some(arity) if self.is_open(&[module, name]) => {
                let callee = Callee {
                    module,
                    name,
                    arity,
                };
                self.decide_callee(statement, &callee)
            }
            _ => Ok(Named::Open),
        }
    }
}
