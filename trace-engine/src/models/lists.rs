//! Built-ins that take lists apart.

use super::{Walk, Walked};
use solver::graph::{Kinds, NodeId};

impl Walk<'_> {
    /// `Left ++ Right`.
    pub(super) fn append(&mut self, left: NodeId, right: NodeId) -> Walked {
        let elements = self.elements(left)?;
        Ok(self.list_before(&elements, right))
    }

    /// `Left -- Right`: for each element of the right list the first equal one is taken away.
    pub(super) fn subtract(&mut self, left: NodeId, right: NodeId) -> Walked {
        let mut kept = self.elements(left)?;
        for gone in self.elements(right)? {
            for index in 0..kept.len() {
                let Some(element) = kept.get(index).copied() else {
                    break;
                };
                let is_equal = self.graph.equal(element, gone);
                if self.holds(is_equal)? {
                    kept.remove(index);
                    break;
                }
            }
        }
        Ok(self.list(&kept))
    }

    /// `lists:member(Value, List)`. What is behind the value is not looked at.
    pub(super) fn member(&mut self, value: NodeId, list: NodeId) -> Walked {
        let mut rest = list;
        while let Some((head, tail)) = self.next(rest)? {
            let is_equal = self.graph.equal(value, head);
            if self.holds(is_equal)? {
                return Ok(self.truth(true));
            }
            rest = tail;
        }
        Ok(self.truth(false))
    }

    /// `lists:reverse(List, Tail)`.
    pub(super) fn reverse(&mut self, list: NodeId, tail: NodeId) -> Walked {
        let mut elements = self.elements(list)?;
        elements.reverse();
        Ok(self.list_before(&elements, tail))
    }

    /// `lists:keyfind(Key, Place, List)`.
    pub(super) fn key_find(&mut self, key: NodeId, place: NodeId, list: NodeId) -> Walked {
        let found = self.find_by_key(key, place, list)?;
        Ok(found.unwrap_or_else(|| self.truth(false)))
    }

    /// `lists:keymember(Key, Place, List)`.
    pub(super) fn key_member(&mut self, key: NodeId, place: NodeId, list: NodeId) -> Walked {
        let found = self.find_by_key(key, place, list)?;
        Ok(self.truth(found.is_some()))
    }

    /// `lists:keysearch(Key, Place, List)`.
    pub(super) fn key_search(&mut self, key: NodeId, place: NodeId, list: NodeId) -> Walked {
        Ok(match self.find_by_key(key, place, list)? {
            Some(found) => {
                let tag = self.graph.atom("value");
                self.graph.tuple([tag, found])
            }
            None => self.truth(false),
        })
    }

    /// The first tuple of a list whose element in some place compares equal to a key. What is no
    /// tuple, or has no such element, is passed over.
    fn find_by_key(
        &mut self,
        key: NodeId,
        place: NodeId,
        list: NodeId,
    ) -> Result<Option<NodeId>, super::Stop> {
        let index = self.place(place)?;
        let mut rest = list;
        while let Some((head, tail)) = self.next(rest)? {
            let is_tuple = self.graph.kind(Kinds::TUPLE, head);
            let size = self.graph.tuple_size(head);
            let place = self.graph.integer(i64::from(index) + 1);
            let is_short = self.graph.less(size, place);
            let has_key = self.graph.all([is_tuple, !is_short]);
            let element = self.graph.element(index, head);
            let is_same = self.graph.same(key, element);
            let is_found = self.graph.all([has_key, is_same]);
            if self.holds(is_found)? {
                return Ok(Some(head));
            }
            rest = tail;
        }
        Ok(None)
    }
}
