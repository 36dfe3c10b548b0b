//! The function under the original name: it announces itself, then calls its body.

use erlang_term::Atom;
use flattener::ast::{Annotations, Child, Constant};
use flattener::flat::{
    Block, BlockId, Clause, Fun, Function, FunctionId, FunctionRef, Guard, Operation, Pattern,
    Statement, Value, VarId, VariableInfo,
};
use smol_str::format_smolstr;
use trace_format::is_long_name;

use crate::runtime::{atom, binding, call, integer, list};

/// The function that other code calls in place of `function`, whose body is exported.
pub(crate) fn by_name(
    announced_as: (usize, u32),
    function: &Function,
    module: &Atom,
    body: &Atom,
) -> Function {
    let mut wrapper = without_body(function);
    let parameters = wrapper.fun.parameters.iter();
    let arguments = list(parameters.copied().map(Value::Variable));
    let [number, callable] = numbers(announced_as);
    let enter = call(
        "enter_body",
        vec![
            number,
            callable,
            atom(module.as_str()),
            atom(body.as_str()),
            arguments,
        ],
    );
    wrapper.fun.body = tail_block(&mut wrapper, enter);
    wrapper
}

/// The function that other code calls in place of `function`, whose body is not exported.
pub(crate) fn local(announced_as: (usize, u32), function: &Function, body: &Atom) -> Function {
    let mut wrapper = without_body(function);
    let parameters = wrapper.fun.parameters.clone();
    let body = FunctionRef::Module(FunctionId {
        name: body.clone(),
        arity: function.id.arity,
    });
    wrapper.fun.body = announce_and_call(&mut wrapper, announced_as, &parameters, body);
    wrapper
}

/// A function with the name of another and a body to be filled in.
pub(crate) fn without_body(function: &Function) -> Function {
    let arity = function.id.arity;
    let name = |count: u32| VariableInfo {
        name: format_smolstr!("A{count}"),
        annotations: Annotations::default(),
    };
    Function {
        id: function.id.clone(),
        fun: Fun {
            parameters: (0..arity).map(VarId).collect(),
            body: BlockId::default(),
            annotations: function.fun.annotations.clone(),
        },
        name_annotations: function.name_annotations.clone(),
        variables: (0..arity).map(name).collect(),
        locals: Vec::new(),
        blocks: Vec::new(),
    }
}

/// The numbers of a module and of a callable, as values.
fn numbers((module, callable): (usize, u32)) -> [Value; 2] {
    [
        integer(i64::try_from(module).unwrap_or(i64::MAX)),
        integer(i64::from(callable)),
    ]
}

/// A block that announces a function, then calls the function that holds its body.
pub(crate) fn announce_and_call(
    function: &mut Function,
    announced_as: (usize, u32),
    parameters: &[VarId],
    body: FunctionRef,
) -> BlockId {
    let annotations = match &body {
        FunctionRef::Module(body) if is_long_name(&function.id.name) => named_after(&body.name),
        FunctionRef::Module(_) | FunctionRef::Local(_) => Annotations::default(),
    };
    let body = Operation::Apply {
        operator: Value::Function(Child::new(body)),
        arguments: parameters.iter().copied().map(Value::Variable).collect(),
    };
    let inside = tail_block(function, body.clone());
    let fun_body = tail_block(function, body);
    let fun = fresh_variable(function);
    let make_fun = Operation::Fun(Fun {
        parameters: Vec::new(),
        body: fun_body,
        annotations: Annotations::default(),
    });
    let made_fun = Statement {
        annotations,
        ..binding(fun, make_fun)
    };
    let bracket = call("bracket", vec![Value::Variable(fun)]);
    let bracketed = tail_block(function, bracket);
    if let Some(block) = function.blocks.get_mut(bracketed.index()) {
        block.statements.insert(0, made_fun);
    }
    announce(function, announced_as, parameters, bracketed, inside)
}

/// Annotations that name a fun. Otherwise the compiler names it after the function that it is in.
fn named_after(body: &Atom) -> Annotations {
    let name = Constant::atom(&format!("-{}-", body.as_str()));
    let place = vec![Constant::integer(0), Constant::integer(0), name];
    let id = vec![Constant::atom("id"), Constant::Tuple(place.into())];
    Annotations::new(vec![Constant::Tuple(id.into())])
}

/// A block that announces a callable by its number and the number of its module, then continues in
/// one of two blocks: in `bracketed` if it returns to code that is not followed.
pub(crate) fn announce(
    function: &mut Function,
    announced_as: (usize, u32),
    parameters: &[VarId],
    bracketed: BlockId,
    inside: BlockId,
) -> BlockId {
    let entered = fresh_variable(function);
    let other = fresh_variable(function);
    let arguments = list(parameters.iter().copied().map(Value::Variable));
    let [number, callable] = numbers(announced_as);
    let enter = call("enter_fun", vec![number, callable, arguments]);
    let clause = |pattern, body| Clause {
        patterns: vec![pattern],
        guard: Guard::Value(atom("true")),
        body,
        annotations: Annotations::default(),
    };
    let bracket = Pattern::Literal(Child::new(erlang_term::Term::atom("bracket")));
    let choice = Operation::Case {
        arguments: vec![Value::Variable(entered)],
        clauses: vec![
            clause(bracket, bracketed),
            clause(Pattern::Variable(other), inside),
        ],
    };
    let block = tail_block(function, choice);
    if let Some(block) = function.blocks.get_mut(block.index()) {
        block.statements.insert(0, binding(entered, enter));
    }
    block
}

/// A new block that does one thing, in tail position.
pub(crate) fn tail_block(function: &mut Function, operation: Operation) -> BlockId {
    let result = fresh_variable(function);
    new_block(
        function,
        Block {
            statements: vec![binding(result, operation)],
            result: vec![Value::Variable(result)],
        },
    )
}

pub(crate) fn new_block(function: &mut Function, block: Block) -> BlockId {
    let id = BlockId(count(function.blocks.len()));
    function.blocks.push(block);
    id
}

/// A variable that the program does not have: no name of it has `@` as its second character.
pub(crate) fn fresh_variable(function: &mut Function) -> VarId {
    let id = VarId(count(function.variables.len()));
    function.variables.push(VariableInfo {
        name: format_smolstr!("E@{}", id.0),
        annotations: Annotations::default(),
    });
    id
}

pub(crate) fn count(items: usize) -> u32 {
    u32::try_from(items).expect("a function has fewer than 2^32 parts")
}
