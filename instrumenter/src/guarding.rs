//! Operations that may raise: if one does, that is logged.
//!
//! Such an operation stands in a `try`. In a large module, that of a built-in stands in a function
//! of its own, which all its calls share: the compiler takes twice as long for code with many `try`s.
//!
//! ```text
//! '@!erlang:+'/3 = fun (Site, A1, A2) ->
//!   try call 'erlang':'+'(A1, A2) of <V> -> V
//!   catch <C,R,S> ->
//!     do call 'erlconcolic_out':'raised'(0, Site, C, R)
//!     primop 'raw_raise'(C, R, S)
//! ```

use std::collections::BTreeMap;

use erlang_term::Atom;
use flattener::ast::{Annotations, Child};
use flattener::flat::{
    Block, BlockId, Fun, Function, FunctionId, FunctionRef, Operation, Value, VarId, VariableInfo,
};
use smol_str::format_smolstr;

use crate::runtime::{self, atom_value, discarded, integer};
use crate::wrapper::{count, fresh_variable, new_block, tail_block};

/// How many sites a module has in which calls of a built-in share a function.
const LARGE_MODULE: u32 = 2_000;

/// The functions that calls of built-ins share, by module and name of the built-in and by their own
/// name and arity.
#[derive(Debug, Default)]
pub(crate) struct GuardedBuiltins {
    is_shared: bool,
    found: BTreeMap<(Atom, u32), (Atom, Atom)>,
}

impl GuardedBuiltins {
    /// For a module with this many sites.
    pub(crate) fn new(site_count: u32) -> Self {
        Self {
            is_shared: site_count >= LARGE_MODULE,
            found: BTreeMap::new(),
        }
    }

    /// The function for calls of a built-in with this many arguments, if they share one.
    pub(crate) fn shared(&mut self, operation: &Operation) -> Option<FunctionId> {
        let Operation::Call {
            module,
            name,
            arguments,
        } = operation
        else {
            return None;
        };
        let text = |value: &Value| Some(Atom::new(value.as_literal()?.as_atom()?));
        let (module, name) = (text(module)?, text(name)?);
        if !self.is_shared {
            return None;
        }
        let shared = FunctionId {
            name: Atom::new(format!("@!{}:{}", module.as_str(), name.as_str())),
            arity: 1 + count(arguments.len()),
        };
        let key = (shared.name.clone(), shared.arity);
        self.found.insert(key, (module, name));
        Some(shared)
    }

    /// The functions, in the module with this number.
    pub(crate) fn into_functions(self, module: usize) -> impl Iterator<Item = Function> {
        let found = self.found.into_iter();
        found.map(move |(id, builtin)| shared_function(id, builtin, module))
    }
}

fn shared_function((name, arity): (Atom, u32), builtin: (Atom, Atom), module: usize) -> Function {
    let variable = |number: u32| VariableInfo {
        name: format_smolstr!("A{number}"),
        annotations: Annotations::default(),
    };
    let parameters: Vec<VarId> = (0..arity).map(VarId).collect();
    let arguments = parameters.iter().skip(1).copied().map(Value::Variable);
    let operation = Operation::Call {
        module: atom_value(builtin.0),
        name: atom_value(builtin.1),
        arguments: arguments.collect(),
    };
    let mut function = Function {
        id: FunctionId { name, arity },
        fun: Fun {
            parameters,
            body: BlockId::default(),
            annotations: Annotations::default(),
        },
        name_annotations: Annotations::default(),
        variables: (0..arity).map(variable).collect(),
        locals: Vec::new(),
        blocks: Vec::new(),
    };
    let site = Value::Variable(VarId(0));
    let none = Annotations::default();
    let guarded = in_try(&mut function, operation, none, module, site);
    function.fun.body = tail_block(&mut function, guarded);
    function
}

/// A call of the function that calls of a built-in share, in place of a call of the built-in.
pub(crate) fn call_of(shared: FunctionId, site: Value, operation: Operation) -> Operation {
    let mut all = vec![site];
    if let Operation::Call { arguments, .. } = operation {
        all.extend(arguments);
    }
    Operation::Apply {
        operator: Value::Function(Child::new(FunctionRef::Module(shared))),
        arguments: all,
    }
}

/// The operation in a `try` that logs its exception and raises it again.
pub(crate) fn in_try(
    function: &mut Function,
    operation: Operation,
    annotations: Annotations,
    module: usize,
    site: Value,
) -> Operation {
    let value = fresh_variable(function);
    let argument = tail_block(function, operation);
    if let Some(block) = function.blocks.get_mut(argument.index())
        && let Some(statement) = block.statements.first_mut()
    {
        statement.annotations = annotations;
    }
    let body = new_block(
        function,
        Block {
            statements: Vec::new(),
            result: vec![Value::Variable(value)],
        },
    );
    let exception: Vec<VarId> = (0..3).map(|_| fresh_variable(function)).collect();
    let values = |count| exception.iter().copied().take(count).map(Value::Variable);
    let module = integer(i64::try_from(module).unwrap_or(i64::MAX));
    let arguments = [module, site].into_iter().chain(values(2));
    let raised = runtime::call("raised", arguments.collect());
    let raise = Operation::Primop {
        name: Atom::new("raw_raise"),
        arguments: values(3).collect(),
    };
    let handler = tail_block(function, raise);
    if let Some(block) = function.blocks.get_mut(handler.index()) {
        block.statements.insert(0, discarded(raised));
    }
    Operation::Try {
        argument,
        variables: vec![value],
        body,
        exception_variables: exception,
        handler,
    }
}
