//! The nodes themselves.

use erlang_term::Atom;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::child::Child;
use super::constant::{Constant, LiteralValue};
use super::literals::{ConstantTerm, Literal};
use super::meta::Meta;

/// A whole module.
#[derive(Clone, Debug, PartialEq)]
pub struct CoreModule {
    /// Place and annotations.
    pub meta: Meta,
    /// The module's name.
    pub name: Atom,
    /// The functions that other modules may call.
    pub exports: Vec<FunctionName>,
    /// Attributes in order.
    pub attributes: Vec<Attribute>,
    /// Functions in order.
    pub definitions: Vec<Definition>,
}

/// A node that may be a constant, and so a part of a larger constant.
pub(crate) trait Part: Sized {
    /// Whether this is a constant without annotations of its own.
    fn is_bare_constant(&self) -> bool;
    /// The value, if this is a constant.
    fn into_constant(self) -> Option<Constant>;
}

macro_rules! part {
    ($node:ident) => {
        impl Part for $node {
            fn is_bare_constant(&self) -> bool {
                matches!(self, Self::Literal(_) | Self::Constant(_))
                    && self.meta().annotations.is_empty()
            }

            fn into_constant(self) -> Option<Constant> {
                if let Self::Literal(literal) = self {
                    return Some(Constant::Atomic(literal.value));
                }
                if let Self::Constant(term) = self {
                    return Some(term.value);
                }
                None
            }
        }
    };
}

part!(Expr);
part!(CorePattern);

/// `Key = Value` in the head of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Always an atom.
    pub key: Literal,
    /// A constant expression.
    pub value: Expr,
}

impl Attribute {
    /// The files that a `-file` attribute names; none if it is another attribute.
    pub fn files(&self) -> Vec<String> {
        if self.key.value != LiteralValue::Atom(Atom::new("file")) {
            return Vec::new();
        }
        let Expr::Constant(value) = &self.value else {
            return Vec::new();
        };
        let Constant::List(entries) = &value.value else {
            return Vec::new();
        };
        let name = |entry: &Constant| entry.as_tuple()?.first()?.to_text();
        entries.elements.iter().filter_map(name).collect()
    }
}

/// `'f'/N = fun …`, in a module or in a `letrec`.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// What is defined.
    pub name: FunctionName,
    /// Its parameters and body.
    pub fun: CoreFun,
}

/// `'f'/N`.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionName {
    /// Place and annotations.
    pub meta: Meta,
    /// The name.
    pub name: Atom,
    /// The number of parameters.
    pub arity: u32,
}

/// A variable, bound or used.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Place and annotations.
    pub meta: Meta,
    /// Its name, beginning with an upper-case letter or an underscore.
    pub name: SmolStr,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A variable.
    Variable(Box<Variable>),
    /// A literal without parts.
    Literal(Box<Literal>),
    /// A list or tuple without variables, calls or annotations inside.
    Constant(Box<ConstantTerm>),
    /// The name of a function of this module or of an enclosing `letrec`, as a value.
    FunctionName(Child<FunctionName>),
    /// `fun 'm':'f'/N`.
    ExternalFun(Child<ExternalFun>),
    /// `[Head|Tail]`.
    Cons(Child<Cons>),
    /// `{A,B}`.
    Tuple(Child<Tuple>),
    /// `~{K=>V|Base}~`.
    Map(Child<Map>),
    /// `#{Segments}#`.
    Binary(Child<Binary>),
    /// `<A,B>`: several values at once.
    Values(Child<Values>),
    /// `fun (X) -> Body`.
    Fun(Child<CoreFun>),
    /// `let <X> = Argument in Body`.
    Let(Child<Let>),
    /// `letrec 'f'/N = fun … in Body`.
    Letrec(Child<Letrec>),
    /// `do First Second`.
    Sequence(Child<Sequence>),
    /// `case Argument of Clauses end`.
    Case(Child<Case>),
    /// `apply Operator(Arguments)`.
    Apply(Child<Apply>),
    /// `call Module:Name(Arguments)`.
    Call(Child<Call>),
    /// `primop Name(Arguments)`.
    Primop(Child<Primop>),
    /// `try Argument of <X> -> Body catch <C,R,S> -> Handler`.
    Try(Child<Try>),
    /// `catch Body`.
    Catch(Child<Catch>),
    /// `receive Clauses after Timeout -> Action`.
    Receive(Child<Receive>),
}

/// Applies `$body` to the node inside any expression.
macro_rules! each_expr {
    ($expr:expr, $node:ident => $body:expr) => {
        match $expr {
            Expr::Variable($node) => $body,
            Expr::Literal($node) => $body,
            Expr::Constant($node) => $body,
            Expr::FunctionName($node) => $body,
            Expr::ExternalFun($node) => $body,
            Expr::Cons($node) => $body,
            Expr::Tuple($node) => $body,
            Expr::Map($node) => $body,
            Expr::Binary($node) => $body,
            Expr::Values($node) => $body,
            Expr::Fun($node) => $body,
            Expr::Let($node) => $body,
            Expr::Letrec($node) => $body,
            Expr::Sequence($node) => $body,
            Expr::Case($node) => $body,
            Expr::Apply($node) => $body,
            Expr::Call($node) => $body,
            Expr::Primop($node) => $body,
            Expr::Try($node) => $body,
            Expr::Catch($node) => $body,
            Expr::Receive($node) => $body,
        }
    };
}

impl Expr {
    /// Place and annotations of the node.
    pub fn meta(&self) -> &Meta {
        each_expr!(self, node => &node.meta)
    }

    /// Place and annotations of the node, to change them.
    pub fn meta_mut(&mut self) -> &mut Meta {
        each_expr!(self, node => &mut node.meta)
    }
}

/// `fun 'm':'f'/N`.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalFun {
    /// Place and annotations.
    pub meta: Meta,
    /// The module.
    pub module: Atom,
    /// The function.
    pub name: Atom,
    /// The number of parameters.
    pub arity: u32,
}

/// `[Head|Tail]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cons {
    /// Place and annotations.
    pub meta: Meta,
    /// The first element.
    pub head: Expr,
    /// The rest.
    pub tail: Expr,
}

/// `{A,B}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuple {
    /// Place and annotations.
    pub meta: Meta,
    /// The elements.
    pub elements: Vec<Expr>,
}

/// `~{K=>V|Base}~`.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// Place and annotations.
    pub meta: Meta,
    /// Keys and values.
    pub pairs: Vec<MapPair>,
    /// The map to be changed, if it is not a new one.
    pub base: Option<Expr>,
}

/// Which keys a pair of a map expression may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MapOperator {
    /// `=>`: any key.
    Assoc,
    /// `:=`: a key that is there already.
    Exact,
}

/// `K=>V` or `K:=V` in a map expression.
#[derive(Clone, Debug, PartialEq)]
pub struct MapPair {
    /// Place and annotations.
    pub meta: Meta,
    /// `=>` or `:=`.
    pub operator: MapOperator,
    /// The key.
    pub key: Expr,
    /// The value.
    pub value: Expr,
}

/// `#{Segments}#`.
#[derive(Clone, Debug, PartialEq)]
pub struct Binary {
    /// Place and annotations.
    pub meta: Meta,
    /// The segments.
    pub segments: Vec<CoreSegment>,
}

/// `#<Value>(Size,Unit,Type,Flags)`.
#[derive(Clone, Debug, PartialEq)]
pub struct CoreSegment {
    /// Place and annotations.
    pub meta: Meta,
    /// The value to write.
    pub value: Expr,
    /// Its size in units, `'all'` or `'undefined'`.
    pub size: Expr,
    /// Bits per unit.
    pub unit: Expr,
    /// The type, an atom.
    pub kind: Expr,
    /// Signedness and endianness, a list of atoms.
    pub flags: Expr,
}

/// `<A,B>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// Place and annotations.
    pub meta: Meta,
    /// The values.
    pub elements: Vec<Expr>,
}

/// `fun (X) -> Body`.
#[derive(Clone, Debug, PartialEq)]
pub struct CoreFun {
    /// Place and annotations.
    pub meta: Meta,
    /// The parameters.
    pub parameters: Vec<Variable>,
    /// The body.
    pub body: Expr,
}

/// `let <X> = Argument in Body`.
#[derive(Clone, Debug, PartialEq)]
pub struct Let {
    /// Place and annotations.
    pub meta: Meta,
    /// The variables, as many as the argument has values.
    pub variables: Vec<Variable>,
    /// The values of the variables.
    pub argument: Expr,
    /// The code that can use them.
    pub body: Expr,
}

/// `letrec 'f'/N = fun … in Body`.
#[derive(Clone, Debug, PartialEq)]
pub struct Letrec {
    /// Place and annotations; `letrec_goto` marks a label rather than a function.
    pub meta: Meta,
    /// The functions.
    pub definitions: Vec<Definition>,
    /// The code that can call them, beside themselves.
    pub body: Expr,
}

/// `do First Second`.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// Place and annotations.
    pub meta: Meta,
    /// Evaluated for its effects.
    pub first: Expr,
    /// Evaluated for its value.
    pub second: Expr,
}

/// `case Argument of Clauses end`.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Place and annotations.
    pub meta: Meta,
    /// The value to match.
    pub argument: Expr,
    /// The clauses in the order in which they are tried.
    pub clauses: Vec<CoreClause>,
}

/// `<Patterns> when Guard -> Body`.
#[derive(Clone, Debug, PartialEq)]
pub struct CoreClause {
    /// Place and annotations.
    pub meta: Meta,
    /// One pattern for each value.
    pub patterns: Vec<CorePattern>,
    /// A pure expression.
    pub guard: Expr,
    /// Evaluated if patterns and guard match.
    pub body: Expr,
}

/// `apply Operator(Arguments)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Apply {
    /// Place and annotations.
    pub meta: Meta,
    /// A function name or a fun.
    pub operator: Expr,
    /// The arguments.
    pub arguments: Vec<Expr>,
}

/// `call Module:Name(Arguments)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Place and annotations.
    pub meta: Meta,
    /// The module.
    pub module: Expr,
    /// The function.
    pub name: Expr,
    /// The arguments.
    pub arguments: Vec<Expr>,
}

/// `primop Name(Arguments)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Primop {
    /// Place and annotations.
    pub meta: Meta,
    /// Always an atom.
    pub name: Literal,
    /// The arguments.
    pub arguments: Vec<Expr>,
}

/// `try Argument of <X> -> Body catch <C,R,S> -> Handler`.
#[derive(Clone, Debug, PartialEq)]
pub struct Try {
    /// Place and annotations.
    pub meta: Meta,
    /// The protected expression.
    pub argument: Expr,
    /// Bound to its values.
    pub variables: Vec<Variable>,
    /// Evaluated after the argument, not protected.
    pub body: Expr,
    /// Bound to class, reason and (mostly) the raw stack trace.
    pub exception_variables: Vec<Variable>,
    /// Evaluated after an exception.
    pub handler: Expr,
}

/// `catch Body`.
#[derive(Clone, Debug, PartialEq)]
pub struct Catch {
    /// Place and annotations.
    pub meta: Meta,
    /// The protected expression.
    pub body: Expr,
}

/// `receive Clauses after Timeout -> Action`.
#[derive(Clone, Debug, PartialEq)]
pub struct Receive {
    /// Place and annotations.
    pub meta: Meta,
    /// Tried on each message.
    pub clauses: Vec<CoreClause>,
    /// Milliseconds or `'infinity'`.
    pub timeout: Expr,
    /// Evaluated after the timeout.
    pub action: Expr,
}

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum CorePattern {
    /// Matches anything and binds it.
    Variable(Box<Variable>),
    /// Matches itself.
    Literal(Box<Literal>),
    /// A list or tuple without variables or annotations inside.
    Constant(Box<ConstantTerm>),
    /// `[Head|Tail]`.
    Cons(Child<PatternCons>),
    /// `{A,B}`.
    Tuple(Child<PatternTuple>),
    /// `~{K:=V}~`.
    Map(Child<PatternMap>),
    /// `#{Segments}#`.
    Binary(Child<PatternBinary>),
    /// `X = Pattern`.
    Alias(Child<Alias>),
}

impl CorePattern {
    /// Place and annotations of the node.
    pub fn meta(&self) -> &Meta {
        match self {
            Self::Variable(node) => &node.meta,
            Self::Literal(node) => &node.meta,
            Self::Constant(node) => &node.meta,
            Self::Cons(node) => &node.meta,
            Self::Tuple(node) => &node.meta,
            Self::Map(node) => &node.meta,
            Self::Binary(node) => &node.meta,
            Self::Alias(node) => &node.meta,
        }
    }

    /// Place and annotations of the node, to change them.
    pub fn meta_mut(&mut self) -> &mut Meta {
        match self {
            Self::Variable(node) => &mut node.meta,
            Self::Literal(node) => &mut node.meta,
            Self::Constant(node) => &mut node.meta,
            Self::Cons(node) => &mut node.meta,
            Self::Tuple(node) => &mut node.meta,
            Self::Map(node) => &mut node.meta,
            Self::Binary(node) => &mut node.meta,
            Self::Alias(node) => &mut node.meta,
        }
    }
}

/// `[Head|Tail]` as a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternCons {
    /// Place and annotations.
    pub meta: Meta,
    /// The first element.
    pub head: CorePattern,
    /// The rest.
    pub tail: CorePattern,
}

/// `{A,B}` as a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternTuple {
    /// Place and annotations.
    pub meta: Meta,
    /// The elements.
    pub elements: Vec<CorePattern>,
}

/// `~{K:=V}~` as a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternMap {
    /// Place and annotations.
    pub meta: Meta,
    /// Keys that must be there, and patterns for their values.
    pub pairs: Vec<PatternMapPair>,
}

/// `K:=V` in a map pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternMapPair {
    /// Place and annotations.
    pub meta: Meta,
    /// The key, a variable bound outside the pattern or a literal.
    pub key: Expr,
    /// The pattern for its value.
    pub value: CorePattern,
}

/// `#{Segments}#` as a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternBinary {
    /// Place and annotations.
    pub meta: Meta,
    /// The segments.
    pub segments: Vec<CorePatternSegment>,
}

/// `#<Pattern>(Size,Unit,Type,Flags)`.
#[derive(Clone, Debug, PartialEq)]
pub struct CorePatternSegment {
    /// Place and annotations.
    pub meta: Meta,
    /// Matches the value that was read.
    pub value: CorePattern,
    /// Its size in units; may use variables of the segments before it.
    pub size: Expr,
    /// Bits per unit.
    pub unit: Expr,
    /// The type, an atom.
    pub kind: Expr,
    /// Signedness and endianness, a list of atoms.
    pub flags: Expr,
}

/// `X = Pattern`.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    /// Place and annotations.
    pub meta: Meta,
    /// Bound to the whole value.
    pub variable: Variable,
    /// Matches the whole value too.
    pub pattern: CorePattern,
}

impl std::fmt::Display for FunctionName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        erlang_term::write_quoted(f, self.name.as_str(), '\'')?;
        write!(f, "/{}", self.arity)
    }
}
