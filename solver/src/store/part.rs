//! What is known about a part of the input.

use std::rc::Rc;

use crate::graph::{Kinds, NodeId};
use crate::types::{Field, TypeId};

/// What is known about a part of the input that is not bound to anything.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The kinds that it can have.
    pub(crate) kinds: Kinds,
    /// How many elements it has, if it is a tuple.
    pub(crate) arity: Option<u32>,
    /// Numbers that it does not have.
    pub(crate) not_arities: Vec<u32>,
    /// How many parameters it has, if it is a fun.
    pub(crate) fun_arity: Option<u32>,
    /// Numbers that it does not have.
    pub(crate) not_fun_arities: Vec<u32>,
    /// The types of what it returns, if it is a fun.
    pub(crate) results: Vec<TypeId>,
    /// Constants that it is not.
    pub(crate) not: Vec<NodeId>,
    /// Keys that it has or does not have, if it is a map.
    pub(crate) keys: Vec<(NodeId, bool)>,
    /// The fields that its pairs must fit, if it is a map.
    pub(crate) fields: Vec<Rc<[Field]>>,
    /// How deep it can be.
    pub(crate) depth: u32,
    /// Its known parts.
    pub(crate) parts: Vec<NodeId>,
}

impl Part {
    /// A part of some kinds, of limited depth.
    pub(crate) fn new(kinds: Kinds, depth: u32) -> Self {
        Self {
            kinds,
            arity: None,
            not_arities: Vec::new(),
            fun_arity: None,
            not_fun_arities: Vec::new(),
            results: Vec::new(),
            not: Vec::new(),
            keys: Vec::new(),
            fields: Vec::new(),
            depth,
            parts: Vec::new(),
        }
    }
}
