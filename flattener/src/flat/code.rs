//! Modules, functions, blocks, statements and operations.

use erlang_term::Atom;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::guard::Guard;
use super::ids::{BlockId, FunctionId, LocalId, SiteId, VarId};
use super::value::{Pattern, Segment, Value};
use crate::ast::{Annotations, Attribute, MapOperator};

/// A module in flat form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Module {
    /// The module's name.
    pub name: Atom,
    /// The functions that other modules may call.
    pub exports: Vec<FunctionId>,
    /// Attributes, unchanged. Who gets a module from elsewhere runs it, and needs none.
    #[serde(skip)]
    pub attributes: Vec<Attribute>,
    /// Functions in order.
    pub functions: Vec<Function>,
    /// Annotations of the module itself.
    pub annotations: Annotations,
    /// How many sites there are; sites are numbered from 0 through the whole module.
    pub site_count: u32,
}

/// A top-level function with all that is nested in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// Name and arity.
    pub id: FunctionId,
    /// Its parameters and body.
    pub fun: Fun,
    /// Annotations of the name.
    pub name_annotations: Annotations,
    /// The variables bound anywhere in it, by [`VarId`].
    pub variables: Vec<VariableInfo>,
    /// The functions of its `letrec`s, by [`LocalId`].
    pub locals: Vec<FunctionId>,
    /// Its blocks, by [`BlockId`].
    pub blocks: Vec<Block>,
}

impl Module {
    /// All statements of all functions.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        self.functions.iter().flat_map(Function::statements)
    }
}

impl Function {
    /// All its statements, in no particular order.
    pub fn statements(&self) -> impl Iterator<Item = &Statement> {
        self.blocks.iter().flat_map(|block| &block.statements)
    }

    /// The block with this number.
    pub fn block(&self, id: BlockId) -> &Block {
        self.blocks
            .get(id.index())
            .expect("a block id is made with its block")
    }

    /// The variable with this number.
    pub fn variable(&self, id: VarId) -> &VariableInfo {
        self.variables
            .get(id.index())
            .expect("a variable id is made with its variable")
    }

    /// The local function with this number.
    pub fn local(&self, id: LocalId) -> &FunctionId {
        self.locals
            .get(id.index())
            .expect("a local function id is made with its function")
    }
}

/// What is known about a variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VariableInfo {
    /// Its name, unique in its top-level function.
    pub name: SmolStr,
    /// Annotations where it is bound.
    pub annotations: Annotations,
}

/// Statements, then a result of one or more values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Evaluated in order.
    pub statements: Vec<Statement>,
    /// The values of the block.
    pub result: Vec<Value>,
}

impl Block {
    /// Whether the last statement is in tail position: it binds exactly what the block returns.
    pub fn ends_in_tail_position(&self) -> bool {
        match self.statements.last().map(|statement| &statement.bound) {
            Some(Bound::Variables(variables)) => {
                variables.len() == self.result.len()
                    && variables.iter().zip(&self.result).all(|(variable, value)| {
                        matches!(value, Value::Variable(result) if result == variable)
                    })
            }
            Some(Bound::Discarded) | None => false,
        }
    }
}

/// What a statement does with the values of its operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Bound {
    /// Binds them.
    Variables(Vec<VarId>),
    /// Drops the one value: `do`.
    Discarded,
}

/// `let <X> = Operation in …`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// Its number.
    pub site: SiteId,
    /// What happens to the values.
    pub bound: Bound,
    /// The operation.
    pub operation: Operation,
    /// Annotations of the operation.
    pub annotations: Annotations,
}

impl Statement {
    /// Whether the values of the operation are dropped, as in a `do`.
    pub fn is_discarded(&self) -> bool {
        self.bound == Bound::Discarded
    }
}

/// The right side of a `let`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Operation {
    /// Plain values.
    Values(Vec<Value>),
    /// `apply F(A)`.
    Apply {
        /// A function name or a fun.
        operator: Value,
        /// The arguments.
        arguments: Vec<Value>,
    },
    /// `call M:F(A)`.
    Call {
        /// The module.
        module: Value,
        /// The function.
        name: Value,
        /// The arguments.
        arguments: Vec<Value>,
    },
    /// `primop F(A)`.
    Primop {
        /// The operation.
        name: Atom,
        /// The arguments.
        arguments: Vec<Value>,
    },
    /// A map, new or changed.
    Map {
        /// The map to change.
        base: Option<Value>,
        /// Keys and values.
        pairs: Vec<(MapOperator, Value, Value)>,
    },
    /// A bit string.
    Binary(Vec<Segment>),
    /// A fun that may use variables of its surroundings.
    Fun(Fun),
    /// `case`.
    Case {
        /// The values to match.
        arguments: Vec<Value>,
        /// The clauses in order.
        clauses: Vec<Clause>,
    },
    /// `letrec`.
    Letrec {
        /// The functions.
        definitions: Vec<LocalFunction>,
        /// The code that can call them.
        body: BlockId,
    },
    /// `try`.
    Try {
        /// The protected block.
        argument: BlockId,
        /// Bound to its values.
        variables: Vec<VarId>,
        /// Evaluated after the argument.
        body: BlockId,
        /// Bound to class, reason and raw stack trace.
        exception_variables: Vec<VarId>,
        /// Evaluated after an exception.
        handler: BlockId,
    },
    /// `catch`.
    Catch(BlockId),
    /// `receive`, as older compilers write it.
    Receive {
        /// Tried on each message.
        clauses: Vec<Clause>,
        /// Milliseconds or `infinity`.
        timeout: Value,
        /// Evaluated after the timeout.
        action: BlockId,
    },
}

impl Operation {
    /// The values that it works on, in the order of the text; patterns and guards have more.
    pub fn operands(&self) -> Vec<&Value> {
        match self {
            Self::Values(values) => values.iter().collect(),
            Self::Apply {
                operator,
                arguments,
            } => std::iter::once(operator).chain(arguments).collect(),
            Self::Call {
                module,
                name,
                arguments,
            } => [module, name].into_iter().chain(arguments).collect(),
            Self::Primop { arguments, .. } | Self::Case { arguments, .. } => {
                arguments.iter().collect()
            }
            Self::Map { base, pairs } => base
                .iter()
                .chain(pairs.iter().flat_map(|(_, key, value)| [key, value]))
                .collect(),
            Self::Binary(segments) => segments
                .iter()
                .flat_map(|segment| [&segment.value, &segment.size])
                .collect(),
            Self::Receive { timeout, .. } => vec![timeout],
            Self::Fun(_) | Self::Letrec { .. } | Self::Try { .. } | Self::Catch(_) => Vec::new(),
        }
    }

    /// The blocks inside that belong to the same function, in the order of the text.
    pub fn own_blocks(&self) -> Vec<BlockId> {
        match self {
            Self::Values(_)
            | Self::Apply { .. }
            | Self::Call { .. }
            | Self::Primop { .. }
            | Self::Map { .. }
            | Self::Binary(_)
            | Self::Fun(_) => Vec::new(),
            Self::Case { clauses, .. } => clauses.iter().map(|clause| clause.body).collect(),
            Self::Letrec { body, .. } | Self::Catch(body) => vec![*body],
            Self::Try {
                argument,
                body,
                handler,
                ..
            } => vec![*argument, *body, *handler],
            Self::Receive {
                clauses, action, ..
            } => clauses
                .iter()
                .map(|clause| clause.body)
                .chain([*action])
                .collect(),
        }
    }

    /// All blocks inside, those of nested functions too, in the order of the text.
    pub(super) fn nested_blocks(&self) -> Vec<BlockId> {
        let mut blocks = Vec::new();
        if let Self::Fun(fun) = self {
            blocks.push(fun.body);
        }
        if let Self::Letrec { definitions, .. } = self {
            blocks.extend(definitions.iter().map(|local| local.fun.body));
        }
        blocks.extend(self.own_blocks());
        blocks
    }
}

/// Parameters and body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fun {
    /// The parameters.
    pub parameters: Vec<VarId>,
    /// The body.
    pub body: BlockId,
    /// Annotations.
    pub annotations: Annotations,
}

/// A function of a `letrec`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocalFunction {
    /// Its number.
    pub id: LocalId,
    /// Parameters and body.
    pub fun: Fun,
    /// Annotations of the name.
    pub name_annotations: Annotations,
}

/// `<Patterns> when Guard -> Body`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clause {
    /// One pattern for each value.
    pub patterns: Vec<Pattern>,
    /// A pure expression.
    pub guard: Guard,
    /// Evaluated if patterns and guard match.
    pub body: BlockId,
    /// Annotations.
    pub annotations: Annotations,
}
