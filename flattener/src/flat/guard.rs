//! Guards.

use erlang_term::Atom;
use serde::{Deserialize, Serialize};

use super::ids::VarId;
use super::value::{Pattern, SegmentType, Value};
use crate::ast::{Annotations, Child, MapOperator};

/// A guard: a tree of pure expressions, interpreted as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Guard {
    /// A plain value.
    Value(Value),
    /// A list with calls inside.
    Cons(Child<(Guard, Guard)>),
    /// A tuple with calls inside.
    Tuple(Child<Vec<Guard>>),
    /// A map.
    Map(Child<GuardMap>),
    /// A bit string.
    Binary(Child<Vec<GuardSegment>>),
    /// Several values at once.
    Values(Child<Vec<Guard>>),
    /// A call of a built-in.
    Call(Child<GuardCall>),
    /// `let`.
    Let(Child<GuardLet>),
    /// `do`.
    Sequence(Child<(Guard, Guard)>),
    /// `case`.
    Case(Child<GuardCase>),
    /// `try`.
    Try(Child<GuardTry>),
}

/// A map built in a guard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuardMap {
    /// The map to change.
    pub base: Option<Guard>,
    /// Keys and values.
    pub pairs: Vec<(MapOperator, Guard, Guard)>,
}

/// A segment of a bit string built in a guard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuardSegment {
    /// The value to write.
    pub value: Guard,
    /// Its size in units.
    pub size: Guard,
    /// How it is written.
    pub kind: SegmentType,
}

/// A built-in that a guard can call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum GuardOperator {
    /// `call M:F`.
    Call(Atom, Atom),
    /// `primop F`.
    Primop(Atom),
}

/// A call in a guard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuardCall {
    /// What is called.
    pub operator: GuardOperator,
    /// The arguments.
    pub arguments: Vec<Guard>,
    /// Annotations.
    pub annotations: Annotations,
}

/// `let` in a guard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuardLet {
    /// The variables.
    pub variables: Vec<VarId>,
    /// The values of the variables.
    pub argument: Guard,
    /// The part that can use them.
    pub body: Guard,
}

/// `case` in a guard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuardCase {
    /// The value to match.
    pub argument: Guard,
    /// The clauses in order.
    pub clauses: Vec<GuardClause>,
}

/// A clause of a `case` in a guard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuardClause {
    /// One pattern for each value.
    pub patterns: Vec<Pattern>,
    /// Its own guard.
    pub guard: Guard,
    /// Evaluated if patterns and guard match.
    pub body: Guard,
    /// Annotations.
    pub annotations: Annotations,
}

/// `try` in a guard: how the compiler says that a failing guard is false.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuardTry {
    /// The protected part.
    pub argument: Guard,
    /// Bound to its values.
    pub variables: Vec<VarId>,
    /// Evaluated after the argument.
    pub body: Guard,
    /// Bound to class, reason and raw stack trace.
    pub exception_variables: Vec<VarId>,
    /// Evaluated after an exception.
    pub handler: Guard,
}
