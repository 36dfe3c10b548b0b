//! Children of tree nodes, safe at any depth.
//!
//! A program may nest without bound: a chain of 50,000 `let`s is a tree of that depth. Walking,
//! comparing, cloning and dropping it must not overflow the stack, so every step from a node to
//! a [`Child`] that recurses goes through [`deep`], which continues on a new piece of stack when
//! the current one runs short.

use std::fmt;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Room that must be left for a step to stay on the current stack.
const RED_ZONE: usize = 96 * 1024;
/// Size of each further piece of stack.
const PIECE: usize = 4 * 1024 * 1024;

/// Runs one step of a recursion, on more stack if necessary.
#[inline]
pub fn deep<R>(step: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, PIECE, step)
}

/// An owned child node, or the children of a node in one piece.
pub struct Child<T: ?Sized>(
    /// `None` only while the value is being taken out, and then until the drop.
    Option<Box<T>>,
);

impl<T> Child<T> {
    /// Puts a node under its parent.
    pub fn new(node: T) -> Self {
        Self(Some(Box::new(node)))
    }

    /// Takes the node out.
    pub fn into_inner(mut self) -> T {
        *self.0.take().expect("a child is only taken once")
    }
}

impl<T> From<T> for Child<T> {
    fn from(node: T) -> Self {
        Self::new(node)
    }
}

impl<T> From<Vec<T>> for Child<[T]> {
    fn from(nodes: Vec<T>) -> Self {
        Self(Some(nodes.into()))
    }
}

impl<T: ?Sized> Drop for Child<T> {
    fn drop(&mut self) {
        if let Some(node) = self.0.take() {
            deep(|| drop(node));
        }
    }
}

impl<T: ?Sized> Deref for Child<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
            .as_deref()
            .expect("a child is there until it is taken")
    }
}

impl<T: ?Sized> DerefMut for Child<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0
            .as_deref_mut()
            .expect("a child is there until it is taken")
    }
}

impl<T: ?Sized> Clone for Child<T>
where
    Box<T>: Clone,
{
    fn clone(&self) -> Self {
        deep(|| Self(self.0.clone()))
    }
}

impl<T: PartialEq + ?Sized> PartialEq for Child<T> {
    fn eq(&self, other: &Self) -> bool {
        deep(|| self.0 == other.0)
    }
}

impl<T: fmt::Debug + ?Sized> fmt::Debug for Child<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        deep(|| (**self).fmt(f))
    }
}

impl<T: Serialize + ?Sized> Serialize for Child<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        deep(|| (**self).serialize(serializer))
    }
}

impl<'input, T: ?Sized> Deserialize<'input> for Child<T>
where
    Box<T>: Deserialize<'input>,
{
    fn deserialize<D: Deserializer<'input>>(deserializer: D) -> Result<Self, D::Error> {
        deep(|| Box::deserialize(deserializer).map(|node| Self(Some(node))))
    }
}
