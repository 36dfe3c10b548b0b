//! What an executor has begun with and is not done with. There may be thousands of it.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

/// Identifies a run: the number of its task, and its own there.
pub(super) type RunKey = (usize, usize);

/// Things by their keys, which also have an order.
#[derive(Debug)]
pub(super) struct UnderWay<T> {
    known: FxHashMap<RunKey, Box<T>>,
    /// Keys in the order in which they came, some of which are not known any more.
    order: VecDeque<RunKey>,
}

impl<T> Default for UnderWay<T> {
    fn default() -> Self {
        Self {
            known: FxHashMap::default(),
            order: VecDeque::new(),
        }
    }
}

impl<T> UnderWay<T> {
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    pub(super) fn push(&mut self, key: RunKey, thing: Box<T>) {
        if self.order.len() > 2 * self.known.len() + 16 {
            let known = &self.known;
            self.order.retain(|it| known.contains_key(it));
        }
        self.known.insert(key, thing);
        self.order.push_back(key);
    }

    pub(super) fn take(&mut self, key: RunKey) -> Option<Box<T>> {
        self.known.remove(&key)
    }

    /// Takes what came first.
    pub(super) fn take_first(&mut self) -> Option<Box<T>> {
        while let Some(key) = self.order.pop_front() {
            if let Some(thing) = self.known.remove(&key) {
                return Some(thing);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_found_by_their_keys_and_in_their_order() {
        let mut under_way = UnderWay::default();
        (0..100).for_each(|number| under_way.push((0, number), Box::new(number)));
        (0..90).for_each(|number| {
            assert_eq!(under_way.take((0, number)).as_deref(), Some(&number));
            assert!(under_way.take((0, number)).is_none());
        });
        under_way.push((1, 0), Box::new(100));
        assert!(under_way.order.len() < 20);
        let rest: Vec<usize> = std::iter::from_fn(|| under_way.take_first())
            .map(|it| *it)
            .collect();
        assert_eq!(rest, (90..=100).collect::<Vec<_>>());
        assert!(under_way.is_empty());
    }
}
