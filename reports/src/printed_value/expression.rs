//! Printed values as trees: everything that reports and a BEAM write.

use super::printed_shape::Unknown;

/// A printed value. The texts of leaves are Erlang source, with their quotes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    /// A number: `17`, `-2.5e-3` or `1 bsl 1023 - 1`.
    Number(String),
    /// An atom.
    Atom(String),
    /// A string.
    Text(String),
    /// A bit string: `<<"ab">>` or `<<1,5:3>>`.
    Bits(String),
    /// A list and its tail after `|`.
    List(Vec<Expression>, Option<Box<Expression>>),
    /// A tuple.
    Tuple(Vec<Expression>),
    /// A map.
    Map(Vec<(Expression, Expression)>),
    /// A pid, a port, a reference, or a fun that has no source.
    Handle(Unknown, String),
    /// `fun m:f/1`.
    ExternalFun(FunctionName),
    /// A fun that looks its arguments up in a table.
    TableFun(Vec<TableClause>),
    /// A call that makes a value.
    Call(FunctionName, Vec<Expression>),
    /// `element(2,Call)`.
    Second(Box<Expression>),
    /// `(fun(X) -> m:put(X,1), X end)(Value)`: the calls, and the value that they change.
    Changed(Vec<Expression>, Box<Expression>),
    /// A variable.
    Variable(String),
    /// `...`: the rest is not printed.
    Cut,
}

/// A function: module and name are atoms as Erlang source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FunctionName {
    pub(crate) module: String,
    pub(crate) name: String,
    /// The number of its arguments.
    pub(crate) arity: usize,
}

/// A clause of a fun that is a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableClause {
    pub(crate) head: TableHead,
    pub(crate) result: Expression,
}

/// Which arguments a clause is for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TableHead {
    /// These.
    Patterns(Vec<Expression>),
    /// Those that match these patterns, if tests of their variables hold.
    Guarded(Vec<Expression>, Vec<TableTest>),
    /// All others: their number.
    Others(usize),
}

/// A test of a variable in the patterns of a clause.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TableTest {
    /// It equals this, because the pattern of a map would match larger maps.
    Equal(String, Expression),
    /// It is a fun with this many parameters.
    IsFun(String, String),
}
