//! What processes share, by hashes of its contents: within a run the same thing has the same hash.

use erlang_term::{Integer, Term, encode};
use flattener::ast::deep;
use num_traits::ToPrimitive;
use solver::graph::{Graph, Node, NodeId, to_term};

use super::shared_access::Object;

/// What is shared.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shared {
    /// A registered name; all of them.
    Name(Option<NodeId>),
    /// A process: whether it is alive.
    Process(usize),
    /// Links, monitors and flags of a process.
    Signals(usize),
    /// What is in a mailbox.
    Mailbox(usize),
    /// Which processes there are.
    Processes,
    /// A table, and a key of it; all of it.
    Table(NodeId, Option<NodeId>),
    /// A persistent term by its key; all of them.
    Term(Option<NodeId>),
    /// An array of atomics or counters, and an index; all of it.
    Cell(NodeId, Option<NodeId>),
    /// A variable of an application; all of them.
    Variable(Option<(NodeId, NodeId)>),
    /// An alias, by its reference: whether it is active.
    Alias(NodeId),
    /// A timer, by the number of its process: whether it is running.
    Timer(usize),
}

impl Shared {
    /// A process: whether it is alive.
    pub(super) fn process_of(number: usize) -> Object {
        whole(&numbered(2, number))
    }

    /// Which processes there are.
    pub(super) fn all_processes() -> Object {
        whole(&[4])
    }

    /// What is in a mailbox.
    pub(super) fn mailbox_of(number: usize) -> Object {
        whole(&numbered(3, number))
    }

    /// Links, monitors and flags of a process.
    pub(super) fn signals_of(number: usize) -> Object {
        whole(&numbered(9, number))
    }

    /// The object. Values with a part that is not known are all the same.
    pub(super) fn object(self, graph: &Graph) -> Object {
        let (root, part) = match self {
            Self::Name(name) => (vec![1], name.map(|it| vec![it])),
            Self::Process(number) => (numbered(2, number), None),
            Self::Mailbox(number) => (numbered(3, number), None),
            Self::Processes => (vec![4], None),
            Self::Table(table, key) => (named(graph, 5, table), key.map(|it| vec![it])),
            Self::Term(key) => (vec![6], key.map(|it| vec![it])),
            Self::Cell(array, index) => (named(graph, 7, array), index.map(|it| vec![it])),
            Self::Signals(number) => (numbered(9, number), None),
            Self::Timer(number) => (numbered(11, number), None),
            Self::Alias(reference) => (named(graph, 10, reference), None),
            Self::Variable(names) => (vec![8], names.map(|it| vec![it.0, it.1])),
        };
        Object {
            root: hash(&root),
            part: part.and_then(|nodes| hash_of(graph, &nodes)),
        }
    }
}

fn whole(bytes: &[u8]) -> Object {
    Object {
        root: hash(bytes),
        part: None,
    }
}

fn numbered(kind: u8, number: usize) -> Vec<u8> {
    let number = number.to_be_bytes();
    [kind].into_iter().chain(number).collect()
}

fn named(graph: &Graph, kind: u8, name: NodeId) -> Vec<u8> {
    let mut bytes = vec![kind];
    let is_known = write_contents(graph, name, &mut bytes).is_some();
    if !is_known {
        bytes.truncate(1);
    }
    bytes
}

/// The hash of constants; `None` if something in them is not known.
fn hash_of(graph: &Graph, nodes: &[NodeId]) -> Option<u64> {
    let mut bytes = Vec::new();
    for node in nodes {
        write_contents(graph, *node, &mut bytes)?;
    }
    Some(hash(&bytes))
}

/// Sorts values so that the order does not depend on the order of steps that do not depend on each
/// other: constants come first, by their contents, then the others as they are.
pub(super) fn in_fixed_order(graph: &Graph, values: &[NodeId]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_cached_key(|index| {
        let value = values.get(*index).filter(|it| graph.is_ground(**it));
        let hash = value.and_then(|it| hash_of(graph, &[*it]));
        (hash.is_none(), hash)
    });
    order
}

/// Writes a constant. Constants that compare equal have equal bytes, and others do not.
fn write_contents(graph: &Graph, node: NodeId, bytes: &mut Vec<u8>) -> Option<()> {
    let tag = match graph.node(node) {
        Node::Other(_, contents) => {
            bytes.extend(contents.iter());
            return Some(());
        }
        Node::Cons(..) => return write_list(graph, node, bytes),
        Node::Tuple(_) => 1,
        Node::Map(_) => 2,
        Node::Integer(_) | Node::Float(_) | Node::Atom(_) | Node::Nil | Node::Table(_) => {
            let term = to_term(graph, node)?;
            bytes.extend(encode(&whole_number(term)));
            return Some(());
        }
        Node::Input(_)
        | Node::Part(..)
        | Node::Put(..)
        | Node::Without(..)
        | Node::Arithmetic(..)
        | Node::Rounded(..)
        | Node::Length(_)
        | Node::TupleSize(_)
        | Node::MapSize(_)
        | Node::AtomOf(_)
        | Node::Bits(_)
        | Node::FloatOf(..)
        | Node::Truth(_)
        | Node::Choice(..)
        | Node::Closure(_)
        | Node::Unknown(_) => return None,
    };
    let operands = graph.node(node).operands();
    bytes.push(tag);
    bytes.extend(operands.len().to_be_bytes());
    operands
        .into_iter()
        .try_for_each(|operand| deep(|| write_contents(graph, operand, bytes)))
}

fn write_list(graph: &Graph, list: NodeId, bytes: &mut Vec<u8>) -> Option<()> {
    let mut rest = list;
    while let Node::Cons(head, tail) = graph.node(rest) {
        bytes.push(0);
        deep(|| write_contents(graph, *head, bytes))?;
        rest = *tail;
    }
    deep(|| write_contents(graph, rest, bytes))
}

/// A float without a fraction as an integer: an ordered table does not tell them apart.
fn whole_number(term: Term) -> Term {
    if let Term::Float(float) = term
        && float.fract() == 0.0
        && let Some(whole) = float.to_i64()
    {
        return Term::Integer(Integer::Small(whole));
    }
    term
}

/// FNV-1a with a final mix, so that short contents spread over all bits.
fn hash(bytes: &[u8]) -> u64 {
    let fnv = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (fnv ^ (fnv >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_of_different_kinds_are_different() {
        let mut graph = Graph::default();
        let (a, b, one) = (graph.atom("a"), graph.atom("b"), graph.integer(1));
        let things = [
            Shared::Name(Some(a)),
            Shared::Name(Some(b)),
            Shared::Process(0),
            Shared::Process(1),
            Shared::Signals(1),
            Shared::Mailbox(0),
            Shared::Processes,
            Shared::Table(a, Some(one)),
            Shared::Table(b, Some(one)),
            Shared::Table(a, Some(a)),
            Shared::Term(Some(a)),
            Shared::Cell(a, Some(one)),
            Shared::Variable(Some((a, b))),
        ];
        let objects = things.map(|it| it.object(&graph));
        for (number, one) in objects.iter().enumerate() {
            let same = objects.iter().filter(|other| one.overlaps(other));
            assert_eq!(same.count(), 1, "{:?}", things[number]);
        }
        let all = Shared::Table(a, None).object(&graph);
        assert!(all.overlaps(&objects[7]) && !all.overlaps(&objects[8]));
        let names = Shared::Name(None).object(&graph);
        assert!(names.overlaps(&objects[0]) && names.overlaps(&objects[1]));
    }

    #[test]
    fn keys_that_compare_equal_are_one_key() {
        let mut graph = Graph::default();
        let (table, one) = (graph.atom("t"), graph.integer(1));
        let (float, half) = (graph.float(1.0), graph.float(1.5));
        let list = graph.cons(one, NodeId::NIL);
        let float_list = graph.cons(float, NodeId::NIL);
        let key = |key| Shared::Table(table, Some(key)).object(&graph);
        assert_eq!(key(one), key(float));
        assert_eq!(key(list), key(float_list));
        assert_ne!(key(one), key(half));
        assert_ne!(key(one), key(list));
    }

    #[test]
    fn constants_have_an_order_of_their_own() {
        let mut graph = Graph::default();
        let (a, b, x, y) = (
            graph.atom("a"),
            graph.atom("b"),
            graph.input(0),
            graph.input(1),
        );
        let ordered = |values: [NodeId; 4]| {
            let order = in_fixed_order(&graph, &values).into_iter();
            order.map(|index| values[index]).collect::<Vec<_>>()
        };
        assert_eq!(ordered([a, x, b, y]), ordered([x, b, a, y]));
        assert_eq!(ordered([a, x, b, y])[2..], [x, y]);
        assert_eq!(ordered([a, y, b, x])[2..], [y, x]);
    }

    #[test]
    fn a_key_that_is_not_known_is_all_of_its_table() {
        let mut graph = Graph::default();
        let (table, unknown) = (graph.atom("t"), graph.unknown());
        let object = Shared::Table(table, Some(unknown)).object(&graph);
        assert_eq!(object.part, None);
    }
}
