//! The place in the text and the annotations that every node has.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::constant::Constant;

/// A byte range of the text a node was parsed from; empty at 0 for nodes made by passes.
///
/// Any two spans are equal, because trees are compared without places.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// First byte after the node.
    pub end: u32,
}

impl Span {
    /// The span as a range of byte offsets.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The annotations of a node: constants in square brackets after `-|`. Most nodes of plain text
/// have none, which costs only a pointer. Many nodes have the same, and share them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations(Option<Arc<Vec<Constant>>>);

impl Annotations {
    /// Annotations from a list, in order.
    pub fn new(constants: Vec<Constant>) -> Self {
        Self((!constants.is_empty()).then(|| Arc::new(constants)))
    }

    /// The annotations in order.
    pub fn as_slice(&self) -> &[Constant] {
        self.0
            .as_ref()
            .map_or(&[], |constants| constants.as_slice())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether the atom `name` is among them.
    pub fn has(&self, name: &str) -> bool {
        self.as_slice()
            .iter()
            .any(|constant| constant.as_atom() == Some(name))
    }

    /// Line and column (0 when unknown) of the source this node was compiled from.
    pub fn position(&self) -> Option<(u32, u32)> {
        self.as_slice().iter().find_map(Constant::as_position)
    }

    /// The source file this node was compiled from.
    pub fn file(&self) -> Option<String> {
        self.as_slice()
            .iter()
            .find_map(|constant| match constant.as_tuple()? {
                [tag, name] if tag.as_atom() == Some("file") => name.to_text(),
                _ => None,
            })
    }
}

impl Serialize for Annotations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'input> Deserialize<'input> for Annotations {
    fn deserialize<D: Deserializer<'input>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::new)
    }
}

/// Place and annotations of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meta {
    /// Where the node stands in the text.
    pub span: Span,
    /// The annotations.
    pub annotations: Annotations,
}

impl Meta {
    /// A node at a place, without annotations.
    pub fn at(start: u32, end: u32) -> Self {
        Self {
            span: Span { start, end },
            annotations: Annotations::default(),
        }
    }
}
