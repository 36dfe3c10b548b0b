//! Built-ins that take tuples apart.

use super::{Stop, Walk, Walked};
use solver::graph::{Condition, Kinds, Node, NodeId};

/// Larger numbers are not looked at one by one.
const LARGEST: u32 = 64;

impl Walk<'_> {
    /// `size(Value)` of a tuple or of a bit string.
    pub(super) fn size(&mut self, value: NodeId) -> Walked {
        let is_tuple = self.graph.kind(Kinds::TUPLE, value);
        let is_bits = self.graph.kind(Kinds::BITS, value);
        match self.choose(&[is_tuple, is_bits, Condition::TRUE])? {
            0 => Ok(self.graph.tuple_size(value)),
            // A byte that is not whole does not count.
            1 => self.whole_bytes(value),
            _ => Err(Stop::Raises),
        }
    }

    /// The elements of a tuple. Its size is found by trying all in turn: at the same point there
    /// must be the same ways for every input.
    fn tuple_elements(&mut self, tuple: NodeId) -> Result<Vec<NodeId>, Stop> {
        if let Node::Tuple(elements) = self.graph.node(tuple) {
            return Ok(elements.to_vec());
        }
        let is_tuple = self.graph.kind(Kinds::TUPLE, tuple);
        self.require(is_tuple)?;
        for size in 0..LARGEST {
            let has_size = self.graph.arity(size, tuple);
            if self.holds(has_size)? {
                let indices = 0..size;
                return Ok(indices.map(|it| self.graph.element(it, tuple)).collect());
            }
        }
        Err(Stop::Unknown)
    }

    /// Which of the numbers from `first` to `last` an integer is, if it is one of them.
    fn number(&mut self, integer: NodeId, first: u32, last: u32) -> Result<Option<u32>, Stop> {
        let mut ways: Vec<Condition> = Vec::new();
        for number in first..=last {
            let number = self.graph.integer(i64::from(number));
            ways.push(self.graph.equal(integer, number));
        }
        ways.push(Condition::TRUE);
        let taken = self.choose(&ways)?;
        let taken = u32::try_from(taken).map_err(|_| Stop::Unknown)?;
        Ok((taken <= last.wrapping_sub(first)).then_some(first.saturating_add(taken)))
    }

    /// A place in tuples, counted from 0: an integer that is at least 1.
    pub(super) fn place(&mut self, place: NodeId) -> Result<u32, Stop> {
        let is_integer = self.graph.kind(Kinds::INTEGER, place);
        let one = self.graph.integer(1);
        let is_small = self.graph.less(place, one);
        let is_place = self.graph.all([is_integer, !is_small]);
        self.require(is_place)?;
        if let Node::Integer(number) = self.graph.node(place) {
            let number = number.to_i64().and_then(|it| u32::try_from(it).ok());
            // No tuple has more elements.
            return Ok(number.unwrap_or(u32::MAX) - 1);
        }
        let number = self.number(place, 1, LARGEST)?;
        number.map(|it| it - 1).ok_or(Stop::Unknown)
    }

    /// The elements of a tuple, and a place that is at most `more` behind them.
    fn at_place(
        &mut self,
        place: NodeId,
        tuple: NodeId,
        more: usize,
    ) -> Result<(Vec<NodeId>, usize), Stop> {
        let elements = self.tuple_elements(tuple)?;
        let places = u32::try_from(elements.len() + more).map_err(|_| Stop::Unknown)?;
        if places == 0 {
            return Err(Stop::Raises);
        }
        match self.number(place, 1, places)? {
            Some(number) => Ok((elements, number as usize - 1)),
            None => Err(Stop::Raises),
        }
    }

    /// `element(Place, Tuple)` where the place depends on the input.
    pub(super) fn element(&mut self, place: NodeId, tuple: NodeId) -> Walked {
        let (elements, index) = self.at_place(place, tuple, 0)?;
        elements.get(index).copied().ok_or(Stop::Raises)
    }

    /// `setelement(Place, Tuple, Value)`.
    pub(super) fn set_element(&mut self, place: NodeId, tuple: NodeId, value: NodeId) -> Walked {
        let (mut elements, index) = self.at_place(place, tuple, 0)?;
        *elements.get_mut(index).ok_or(Stop::Raises)? = value;
        Ok(self.graph.tuple(elements))
    }

    /// `erlang:append_element(Tuple, Value)`.
    pub(super) fn append_element(&mut self, tuple: NodeId, value: NodeId) -> Walked {
        let mut elements = self.tuple_elements(tuple)?;
        elements.push(value);
        Ok(self.graph.tuple(elements))
    }

    /// `erlang:insert_element(Place, Tuple, Value)`.
    pub(super) fn insert_element(&mut self, place: NodeId, tuple: NodeId, value: NodeId) -> Walked {
        let (mut elements, index) = self.at_place(place, tuple, 1)?;
        elements.insert(index, value);
        Ok(self.graph.tuple(elements))
    }

    /// `erlang:delete_element(Place, Tuple)`.
    pub(super) fn delete_element(&mut self, place: NodeId, tuple: NodeId) -> Walked {
        let (mut elements, index) = self.at_place(place, tuple, 0)?;
        elements.remove(index);
        Ok(self.graph.tuple(elements))
    }

    /// `erlang:make_tuple(Size, Value)`.
    pub(super) fn make_tuple(&mut self, size: NodeId, value: NodeId) -> Walked {
        let is_integer = self.graph.kind(Kinds::INTEGER, size);
        let zero = self.graph.integer(0);
        let is_negative = self.graph.less(size, zero);
        let is_size = self.graph.all([is_integer, !is_negative]);
        self.require(is_size)?;
        match self.number(size, 0, LARGEST)? {
            Some(size) => Ok(self.graph.tuple(vec![value; size as usize])),
            None => Err(Stop::Unknown),
        }
    }

    /// `tuple_to_list(Tuple)`.
    pub(super) fn tuple_to_list(&mut self, tuple: NodeId) -> Walked {
        let elements = self.tuple_elements(tuple)?;
        Ok(self.list(&elements))
    }

    /// `list_to_tuple(List)`.
    pub(super) fn list_to_tuple(&mut self, list: NodeId) -> Walked {
        let elements = self.elements(list)?;
        Ok(self.graph.tuple(elements))
    }
}
