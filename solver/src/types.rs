//! Types of inputs. A type is a regular tree grammar: alternatives, whose parts are types again.

mod membership;
mod simplest;

use std::sync::Arc;

use erlang_term::{Atom, Integer, Term};

use crate::graph::Kinds;
pub use simplest::{LAST_CHARACTER, READABLE};

/// A type of a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// One of the forms that values of a type have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alternative {
    /// Any value.
    Any,
    /// An integer between two bounds, where there are some.
    Integer(Option<Integer>, Option<Integer>),
    /// A float.
    Float,
    /// An atom.
    AnyAtom,
    /// This atom.
    Atom(Atom),
    /// `[]`.
    Nil,
    /// A list cell.
    Cons(TypeId, TypeId),
    /// A tuple.
    AnyTuple,
    /// A tuple of these.
    Tuple(Vec<TypeId>),
    /// A map.
    AnyMap,
    /// A map with these pairs only.
    Map(Vec<Field>),
    /// A bit string: so many bits, and any number of times so many more.
    Bits(u64, u64),
    /// A fun.
    AnyFun,
    /// A fun with so many parameters, if that is known, and what it returns.
    Fun(Option<u32>, TypeId),
    /// A pid.
    Pid,
    /// A port.
    Port,
    /// A reference.
    Reference,
}

/// Pairs of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Whether there must be one.
    pub is_required: bool,
    /// The type of its key.
    pub key: TypeId,
    /// The type of its value.
    pub value: TypeId,
}

impl Alternative {
    /// The kinds that its values have.
    pub fn kinds(&self) -> Kinds {
        match self {
            Self::Any => Kinds::ANY,
            Self::Integer(..) => Kinds::INTEGER,
            Self::Float => Kinds::FLOAT,
            Self::AnyAtom | Self::Atom(_) => Kinds::ATOM,
            Self::Nil => Kinds::NIL,
            Self::Cons(..) => Kinds::CONS,
            Self::AnyTuple | Self::Tuple(_) => Kinds::TUPLE,
            Self::AnyMap | Self::Map(_) => Kinds::MAP,
            Self::Bits(base, unit) if base % 8 == 0 && unit % 8 == 0 => Kinds::BINARY,
            Self::Bits(base, 8) if base % 8 != 0 => Kinds::PARTIAL_BINARY,
            Self::Bits(..) => Kinds::BITS,
            Self::AnyFun | Self::Fun(..) => Kinds::FUN,
            Self::Pid => Kinds::PID,
            Self::Port => Kinds::PORT,
            Self::Reference => Kinds::REFERENCE,
        }
    }

    /// Whether all values of its kinds are of this form.
    pub fn is_whole_kind(&self) -> bool {
        match self {
            Self::Any
            | Self::Integer(None, None)
            | Self::Float
            | Self::AnyAtom
            | Self::Nil
            | Self::AnyTuple
            | Self::AnyMap
            | Self::Bits(0, 1 | 8)
            | Self::AnyFun
            | Self::Pid
            | Self::Port
            | Self::Reference => true,
            Self::Integer(..)
            | Self::Atom(_)
            | Self::Cons(..)
            | Self::Tuple(_)
            | Self::Map(_)
            | Self::Bits(..)
            | Self::Fun(..) => false,
        }
    }

    /// Whether conditions cannot say all of it about a value whose shape is not known: only
    /// constants can be told apart.
    pub fn is_opaque(&self) -> bool {
        matches!(self, Self::Fun(..)) && !self.is_whole_kind()
    }
}

/// A grammar.
#[derive(Debug, Default)]
pub struct Types {
    definitions: Vec<Definition>,
}

#[derive(Debug)]
struct Definition {
    /// The simplest first.
    alternatives: Vec<Alternative>,
    kinds: Kinds,
    /// For each alternative a small value, if one can be made.
    simplest: Vec<Option<Term>>,
}

impl Types {
    /// A grammar; a type's number is its place.
    pub fn new(definitions: Vec<Vec<Alternative>>) -> Self {
        let simplest = simplest::all(&definitions);
        let definitions = definitions.into_iter().zip(simplest);
        let definitions = definitions.map(|(alternatives, simplest)| {
            let mut forms: Vec<_> = alternatives.into_iter().zip(simplest).collect();
            let size = |made: &Option<(u64, Term)>| made.as_ref().map_or(u64::MAX, |it| it.0);
            forms.sort_by_key(|(_, made)| size(made));
            let (alternatives, made): (Vec<_>, Vec<_>) = forms.into_iter().unzip();
            let kinds = alternatives.iter().map(Alternative::kinds);
            Definition {
                kinds: kinds.fold(Kinds::NONE, |all, kinds| all | kinds),
                alternatives,
                simplest: made.into_iter().map(|it| Some(it?.1)).collect(),
            }
        });
        Self {
            definitions: definitions.collect(),
        }
    }

    fn definition(&self, id: TypeId) -> Option<&Definition> {
        self.definitions.get(id.0 as usize)
    }

    /// The forms of a type's values, the simplest first.
    pub fn alternatives(&self, id: TypeId) -> &[Alternative] {
        self.definition(id).map_or(&[], |it| &it.alternatives)
    }

    /// The kinds of a type's values.
    pub fn kinds(&self, id: TypeId) -> Kinds {
        self.definition(id).map_or(Kinds::NONE, |it| it.kinds)
    }

    /// Whether every value is of this type.
    pub fn is_any(&self, id: TypeId) -> bool {
        self.alternatives(id).contains(&Alternative::Any)
    }

    /// A small value of a type, if one can be made.
    pub fn simplest(&self, id: TypeId) -> Option<&Term> {
        self.definition(id)?.simplest.first()?.as_ref()
    }

    /// Small values of a type that are of these kinds.
    pub fn simplest_of_kinds(&self, id: TypeId, kinds: Kinds) -> Vec<Term> {
        let Some(definition) = self.definition(id) else {
            return Vec::new();
        };
        let forms = definition.alternatives.iter().zip(&definition.simplest);
        forms
            .filter(|(alternative, _)| alternative.kinds().intersects(kinds))
            .filter_map(|(_, term)| term.clone())
            .collect()
    }
}

/// The arguments that a function takes: a list of types for each clause of its spec.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// The grammar.
    pub types: Arc<Types>,
    /// The arguments have the types of one of these.
    pub clauses: Vec<Vec<TypeId>>,
}

impl Signature {
    /// Whether arguments are of the right types.
    pub fn admits(&self, arguments: &[Term]) -> bool {
        self.clauses.iter().any(|types| {
            let mut pairs = types.iter().zip(arguments);
            types.len() == arguments.len() && pairs.all(|(of, it)| self.types.contains(*of, it))
        })
    }

    /// Small arguments, for each clause of which all can be made.
    pub fn simplest(&self) -> Vec<Vec<Term>> {
        let simplest = |of: &TypeId| self.types.simplest(*of).cloned();
        let clauses = self.clauses.iter();
        clauses
            .filter_map(|types| types.iter().map(simplest).collect())
            .collect()
    }
}

#[cfg(test)]
mod tests;
