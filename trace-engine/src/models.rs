//! Built-ins that walk through their arguments. They are not written in Erlang, so no log tells of
//! their way; here they go it again. Which one it was is known from the arguments that the run
//! had, and what was decided on it are decisions of the program like all others.

mod bits;
mod lists;
mod maps;
mod numerals;
mod texts;
mod tuples;

use erlang_term::Atom;

use bits::Characters;
pub(crate) use bits::Segment;
use solver::graph::{Condition, Graph, Input, Kinds, NodeId};

/// Why a built-in does not return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It raises an exception, whose reason is in the log.
    Raises,
    /// It raises an error with this reason.
    Error(NodeId),
    /// It returns, but what it returns is known for the input of the run only.
    Taken(NodeId),
    /// It returns this or raises, which depends on more than its arguments.
    Perhaps(NodeId),
    /// What it does cannot be told.
    Unknown,
}

type Walked = Result<NodeId, Stop>;

/// A built-in on its way.
#[derive(Debug)]
pub(crate) struct Walk<'run> {
    graph: &'run mut Graph,
    input: &'run mut Input,
    /// The atoms that the program knows by name.
    known_atoms: &'run [Atom],
    /// The ways that there were, and the one that was taken.
    pub(crate) decisions: Vec<(Vec<Condition>, usize)>,
}

/// What a built-in returns.
pub(crate) fn walk(
    walk: &mut Walk<'_>,
    module: &str,
    name: &str,
    arguments: &[NodeId],
) -> Result<NodeId, Stop> {
    match (module, name, arguments) {
        ("erlang", "++", &[left, right]) => walk.append(left, right),
        ("erlang", "--", &[left, right]) => walk.subtract(left, right),
        ("lists", "member", &[value, list]) => walk.member(value, list),
        ("lists", "reverse", &[list, tail]) => walk.reverse(list, tail),
        ("lists", "keyfind", &[key, place, list]) => walk.key_find(key, place, list),
        ("lists", "keymember", &[key, place, list]) => walk.key_member(key, place, list),
        ("lists", "keysearch", &[key, place, list]) => walk.key_search(key, place, list),
        ("erlang", "element", &[place, tuple]) => walk.element(place, tuple),
        ("erlang", "setelement", &[place, tuple, value]) => walk.set_element(place, tuple, value),
        ("erlang", "append_element", &[tuple, value]) => walk.append_element(tuple, value),
        ("erlang", "insert_element", &[place, tuple, value]) => {
            walk.insert_element(place, tuple, value)
        }
        ("erlang", "delete_element", &[place, tuple]) => walk.delete_element(place, tuple),
        ("erlang", "make_tuple", &[size, value]) => walk.make_tuple(size, value),
        ("erlang", "tuple_to_list", &[tuple]) => walk.tuple_to_list(tuple),
        ("erlang", "list_to_tuple", &[list]) => walk.list_to_tuple(list),
        ("erlang", "size", &[value]) => walk.size(value),
        ("erlang", "list_to_integer", &[list]) => walk.list_to_integer(list, 10),
        ("erlang", "list_to_integer", &[list, base]) => {
            let base = walk.base(base)?;
            walk.list_to_integer(list, base)
        }
        ("erlang", "integer_to_list", &[integer]) => walk.integer_to_list(integer, 10),
        ("erlang", "integer_to_list", &[integer, base]) => {
            let base = walk.base(base)?;
            walk.integer_to_list(integer, base)
        }
        ("string", "list_to_integer", &[list]) => walk.leading_integer(list),
        ("erlang", "list_to_float", &[list]) => walk.list_to_float(list),
        ("erlang", "list_to_atom", &[list]) => walk.list_to_atom(list),
        ("erlang", "list_to_existing_atom", &[list]) => {
            walk.list_to_existing_atom(list, walk.known_atoms)
        }
        ("maps" | "erts_internal", ..) => walk_map(walk, name, arguments),
        _ => walk_bits(walk, module, name, arguments),
    }
}

/// The same for those that are about bit strings.
fn walk_bits(walk: &mut Walk<'_>, module: &str, name: &str, arguments: &[NodeId]) -> Walked {
    match (module, name, arguments) {
        ("erlang", "binary_part", &[binary, place]) => walk.binary_part_of(binary, place),
        ("erlang", "binary_part", &[binary, start, length]) => {
            walk.binary_part(binary, start, length)
        }
        ("erlang", "split_binary", &[bits, position]) => walk.split_binary(bits, position),
        ("erlang", "binary_to_list", &[binary]) => walk.binary_to_list(binary),
        ("erlang", "binary_to_list", &[binary, first, last]) => {
            walk.part_to_list(binary, first, last)
        }
        ("erlang", "bitstring_to_list", &[bits]) => walk.bits_to_list(bits),
        ("erlang", "list_to_binary", &[list]) => walk.join(list, Kinds::BINARY),
        ("erlang", "list_to_bitstring", &[list]) => walk.join(list, Kinds::BITS),
        ("erlang", "iolist_to_binary", &[data]) => walk.join_data(data),
        ("erlang", "iolist_size", &[data]) => walk.data_size(data),
        ("erlang", "binary_to_integer", &[binary]) => walk.binary_to_integer(binary, 10),
        ("erlang", "binary_to_integer", &[binary, base]) => {
            let base = walk.base(base)?;
            walk.binary_to_integer(binary, base)
        }
        ("erlang", "integer_to_binary", &[integer]) => walk.integer_to_binary(integer, 10),
        ("erlang", "integer_to_binary", &[integer, base]) => {
            let base = walk.base(base)?;
            walk.integer_to_binary(integer, base)
        }
        ("erlang", "binary_to_float", &[binary]) => walk.binary_to_float(binary),
        ("binary", "at", &[binary, position]) => walk.byte_at(binary, position),
        ("binary", "first", &[binary]) => walk.first_byte(binary),
        ("binary", "last", &[binary]) => walk.last_byte(binary),
        ("binary", "part", &[binary, place]) => walk.binary_part_of(binary, place),
        ("binary", "part", &[binary, start, length]) => walk.binary_part(binary, start, length),
        ("binary", "bin_to_list", &[binary]) => walk.binary_to_list(binary),
        ("binary", "list_to_bin", &[list]) => walk.join(list, Kinds::BINARY),
        ("binary", "copy", &[binary]) => walk.copied(binary),
        ("erlang", _, &[value]) => walk_texts(walk, name, value, Characters::Utf8),
        (
            "erlang",
            "binary_to_atom" | "binary_to_existing_atom" | "atom_to_binary",
            &[value, written],
        ) => {
            let written = walk.characters(written)?;
            walk_texts(walk, name, value, written)
        }
        _ => Err(Stop::Unknown),
    }
}

fn walk_map(walk: &mut Walk<'_>, name: &str, arguments: &[NodeId]) -> Walked {
    match (name, arguments) {
        ("find", &[key, map]) => walk.map_find(key, map),
        ("from_keys", &[keys, value]) => walk.map_from_keys(keys, value),
        ("from_list", &[list]) => walk.map_from_list(list),
        ("get", &[key, map]) => walk.map_get(key, map),
        ("is_key", &[key, map]) => walk.map_is_key(key, map),
        ("keys", &[map]) => walk.map_keys(map),
        ("map_next", &[path, map, what]) => walk.map_next(path, map, what),
        ("merge", &[first, second]) => walk.map_merge(first, second),
        ("put", &[key, value, map]) => walk.map_put(key, value, map),
        ("remove", &[key, map]) => walk.map_remove(key, map),
        ("take", &[key, map]) => walk.map_take(key, map),
        ("update", &[key, value, map]) => walk.map_update(key, value, map),
        ("values", &[map]) => walk.map_values(map),
        _ => Err(Stop::Unknown),
    }
}

/// The same for atoms whose texts are in bit strings.
fn walk_texts(walk: &mut Walk<'_>, name: &str, value: NodeId, written: Characters) -> Walked {
    match name {
        "binary_to_atom" => walk.binary_to_atom(value, written),
        "binary_to_existing_atom" => walk.binary_to_existing_atom(value, written),
        "atom_to_binary" => walk.atom_to_binary(value, written),
        _ => Err(Stop::Unknown),
    }
}

impl<'run> Walk<'run> {
    pub(crate) fn new(
        graph: &'run mut Graph,
        input: &'run mut Input,
        known_atoms: &'run [Atom],
    ) -> Self {
        Self {
            graph,
            input,
            known_atoms,
            decisions: Vec::new(),
        }
    }

    /// Which of these is the first that holds; the last one is what is left. They may depend on
    /// the input only through what was chosen before, so that all inputs that come here have the
    /// same choice.
    fn choose(&mut self, ways: &[Condition]) -> Result<usize, Stop> {
        let taken = self.input.first_that_holds(self.graph, ways);
        let taken = taken.ok_or(Stop::Unknown)?;
        self.decisions.push((ways.to_vec(), taken));
        Ok(taken)
    }

    /// Says what holds by the meaning of the parts that were looked at. There is no other way.
    fn assume(&mut self, condition: Condition) -> Result<(), Stop> {
        if self.input.holds(self.graph, condition) != Some(true) {
            return Err(Stop::Unknown);
        }
        self.decisions.push((vec![condition], 0));
        Ok(())
    }

    /// Whether a condition holds.
    fn holds(&mut self, condition: Condition) -> Result<bool, Stop> {
        Ok(self.choose(&[condition, Condition::TRUE])? == 0)
    }

    /// Goes on only if a condition holds.
    fn require(&mut self, condition: Condition) -> Result<(), Stop> {
        if self.holds(condition)? {
            Ok(())
        } else {
            Err(Stop::Raises)
        }
    }

    /// The head and tail of a list; `None` at its end.
    fn next(&mut self, list: NodeId) -> Result<Option<(NodeId, NodeId)>, Stop> {
        let is_cell = self.graph.kind(Kinds::CONS, list);
        let is_end = self.graph.kind(Kinds::NIL, list);
        match self.choose(&[is_cell, is_end, Condition::TRUE])? {
            0 => Ok(Some((self.graph.head(list), self.graph.tail(list)))),
            1 => Ok(None),
            _ => Err(Stop::Raises),
        }
    }

    /// All elements of a proper list.
    pub(crate) fn elements(&mut self, list: NodeId) -> Result<Vec<NodeId>, Stop> {
        let mut elements = Vec::new();
        let mut rest = list;
        while let Some((head, tail)) = self.next(rest)? {
            elements.push(head);
            rest = tail;
        }
        Ok(elements)
    }

    /// A list of these before a tail.
    fn list_before(&mut self, elements: &[NodeId], tail: NodeId) -> NodeId {
        let elements = elements.iter().rev();
        elements.fold(tail, |tail, head| self.graph.cons(*head, tail))
    }

    fn list(&mut self, elements: &[NodeId]) -> NodeId {
        self.list_before(elements, NodeId::NIL)
    }

    fn truth(&mut self, holds: bool) -> NodeId {
        self.graph.atom(if holds { "true" } else { "false" })
    }
}
