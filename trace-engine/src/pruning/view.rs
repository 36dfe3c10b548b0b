//! What the rest of a run looks at of a value.

use std::collections::BTreeMap;

/// Views of parts of parts are full from this depth on, so that views stay finite.
const DEEPEST: usize = 4;

/// What the rest of a run looks at of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// Everything.
    Full,
    /// Some aspects, or none.
    Some(Aspects),
}

/// Aspects of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is looked at by itself")]
pub(crate) struct Aspects {
    /// Whether it is an integer.
    pub(crate) is_integer: bool,
    /// Whether it is a proper list.
    pub(crate) is_spine: bool,
    /// Whether it is a map, or a binary.
    pub(crate) is_kind: bool,
    /// Its outermost constructor, or the constant that it is.
    pub(crate) is_outer: bool,
    /// The same, and the first element of a tuple: by this word findings are told apart.
    pub(crate) is_word: bool,
    /// The elements of tuples, by the sizes of the tuples.
    pub(crate) tuples: BTreeMap<usize, Vec<View>>,
    /// Whether it is a map, its keys, and all values in it through this view.
    pub(crate) in_map: Option<Box<View>>,
}

/// Nothing is looked at.
pub(super) static NOTHING: View = View::Some(Aspects {
    is_integer: false,
    is_spine: false,
    is_kind: false,
    is_outer: false,
    is_word: false,
    tuples: BTreeMap::new(),
    in_map: None,
});

impl Default for View {
    fn default() -> Self {
        Self::nothing()
    }
}

impl View {
    /// Nothing is looked at.
    pub(crate) fn nothing() -> Self {
        Self::Some(Aspects::default())
    }

    /// Whether it is an integer.
    pub(crate) fn integer() -> Self {
        Self::Some(Aspects {
            is_integer: true,
            ..Aspects::default()
        })
    }

    /// Whether it is a proper list.
    pub(crate) fn spine() -> Self {
        Self::Some(Aspects {
            is_spine: true,
            ..Aspects::default()
        })
    }

    /// Whether it is a map, or a binary.
    pub(crate) fn kind() -> Self {
        Self::Some(Aspects {
            is_kind: true,
            ..Aspects::default()
        })
    }

    /// The outermost constructor.
    pub(crate) fn outer() -> Self {
        Self::Some(Aspects {
            is_outer: true,
            ..Aspects::default()
        })
    }

    /// The first word.
    pub(crate) fn word() -> Self {
        Self::Some(Aspects {
            is_word: true,
            ..Aspects::default()
        })
    }

    /// The outermost constructor, and of a tuple of this size its elements.
    pub(crate) fn tuple(elements: Vec<Self>) -> Self {
        let made = Self::Some(Aspects {
            is_outer: true,
            tuples: BTreeMap::from([(elements.len(), elements)]),
            ..Aspects::default()
        });
        made.within_depth()
    }

    /// The keys of a map, and its values.
    pub(crate) fn map(values: Self) -> Self {
        let made = Self::Some(Aspects {
            in_map: Some(Box::new(values)),
            ..Aspects::default()
        });
        made.within_depth()
    }

    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self, Self::Some(aspects) if *aspects == Aspects::default())
    }

    /// Whether it looks at nothing, or only whether the value is an integer.
    pub(crate) fn is_at_most_integer(&self) -> bool {
        self.is_nothing() || *self == Self::integer()
    }

    /// Whether it looks at nothing, or only whether the value is a proper list.
    pub(crate) fn is_at_most_spine(&self) -> bool {
        self.is_nothing() || *self == Self::spine()
    }

    /// Whether it looks at nothing, or only whether the value is a map or a binary.
    pub(crate) fn is_at_most_kind(&self) -> bool {
        self.is_nothing() || *self == Self::kind()
    }

    /// What it looks at of the values in a map, if it looks only at a map or a binary: nothing, if
    /// not even the keys count.
    pub(crate) fn values_of_map(&self) -> Option<&Self> {
        match self {
            Self::Some(Aspects {
                is_integer: false,
                is_spine: false,
                is_kind: _,
                is_outer: false,
                is_word: false,
                tuples,
                in_map,
            }) if tuples.is_empty() => Some(in_map.as_deref().unwrap_or(&NOTHING)),
            Self::Full | Self::Some(_) => None,
        }
    }

    /// The views of the elements of a tuple of this size.
    pub(crate) fn elements(&self, size: usize) -> Option<&[Self]> {
        match self {
            Self::Full => None,
            Self::Some(aspects) => aspects.tuples.get(&size).map(Vec::as_slice),
        }
    }

    /// If it looks at a tuple in which this element was replaced: what that looks at of the tuple
    /// before, and of the new element. `None` if it looks at everything.
    pub(crate) fn with_replaced(&self, index: usize) -> Option<(Self, Self)> {
        let Self::Some(aspects) = self else {
            return None;
        };
        let mut before = aspects.clone();
        before.is_outer = true;
        let mut new = Self::nothing();
        if aspects.is_word && index == 0 {
            new = Self::Full;
        }
        for elements in before.tuples.values_mut() {
            if let Some(element) = elements.get_mut(index) {
                new.add(&std::mem::take(element));
            }
        }
        Some((Self::Some(before), new))
    }

    /// Looks at all that another view looks at, too. Returns whether that is more than before.
    pub(crate) fn add(&mut self, other: &Self) -> bool {
        let (own, others) = match (&mut *self, other) {
            (Self::Full, _) => return false,
            (Self::Some(_), Self::Full) => {
                *self = Self::Full;
                return true;
            }
            (Self::Some(own), Self::Some(others)) => (own, others),
        };
        let is_more = own.add(others);
        if is_more && self.depth() > DEEPEST {
            *self = Self::Full;
        }
        is_more
    }

    fn within_depth(self) -> Self {
        if self.depth() > DEEPEST {
            Self::Full
        } else {
            self
        }
    }

    fn depth(&self) -> usize {
        match self {
            Self::Full => 0,
            Self::Some(aspects) => {
                let inner = aspects.tuples.values().flatten();
                let inner = inner.chain(aspects.in_map.as_deref());
                inner.map(|it| 1 + it.depth()).max().unwrap_or(0)
            }
        }
    }
}

impl Aspects {
    fn add(&mut self, other: &Self) -> bool {
        let mut is_more = (other.is_integer && !self.is_integer)
            || (other.is_spine && !self.is_spine)
            || (other.is_kind && !self.is_kind)
            || (other.is_outer && !self.is_outer)
            || (other.is_word && !self.is_word);
        self.is_integer |= other.is_integer;
        self.is_spine |= other.is_spine;
        self.is_kind |= other.is_kind;
        self.is_outer |= other.is_outer;
        self.is_word |= other.is_word;
        for (size, elements) in &other.tuples {
            if let Some(known) = self.tuples.get_mut(size) {
                for (known, element) in known.iter_mut().zip(elements) {
                    is_more |= known.add(element);
                }
            } else {
                self.tuples.insert(*size, elements.clone());
                is_more = true;
            }
        }
        match (&mut self.in_map, &other.in_map) {
            (_, None) => {}
            (Some(known), Some(values)) => is_more |= known.add(values),
            (slot @ None, Some(values)) => {
                *slot = Some(values.clone());
                is_more = true;
            }
        }
        is_more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_looks_at_what_each_looks_at() {
        let mut view = View::integer();
        assert!(view.add(&View::spine()));
        assert!(!view.add(&View::integer()));
        assert!(!view.is_at_most_integer() && !view.is_at_most_spine());
        let pair = View::tuple(vec![View::nothing(), View::integer()]);
        assert!(view.add(&pair));
        assert!(view.add(&View::tuple(vec![View::outer(), View::nothing()])));
        let elements = [View::outer(), View::integer()];
        assert_eq!(view.elements(2), Some(elements.as_slice()));
        assert!(view.add(&View::Full));
        assert_eq!(view, View::Full);
        assert!(!view.add(&pair));
    }

    #[test]
    fn deep_views_are_full() {
        let mut view = View::integer();
        for _ in 0..DEEPEST {
            view = View::tuple(vec![view]);
            assert_ne!(view, View::Full);
        }
        assert_eq!(View::tuple(vec![view.clone()]), View::Full);
        let mut deeper = View::nothing();
        assert!(deeper.add(&view));
        assert_eq!(deeper, view);
    }
}
