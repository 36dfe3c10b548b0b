//! What is known of a table.

use solver::graph::{Condition, Graph, Node, NodeId};

/// In a larger table rows are not known: each key is compared with all others.
const MOST_ROWS: usize = 100;

/// A table that a process made.
#[derive(Clone, Debug)]
pub(in super::super) struct KnownTable {
    /// What steps call it: its reference, or its name.
    pub(in super::super) id: NodeId,
    /// What else they call it: the reference of a table with a name.
    pub(in super::super) alias: Option<NodeId>,
    pub(in super::super) owner: usize,
    pub(in super::super) layout: TableLayout,
    /// The objects in it, with symbolic parts; `None` if they are not known.
    rows: Option<Vec<NodeId>>,
}

/// How a table tells its objects apart.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct TableLayout {
    /// The position of the key in its objects, from 0.
    pub(in super::super) key_position: usize,
    kind: TableKind,
}

/// Which objects can be in a table together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableKind {
    /// One with each key.
    Set,
    /// The same, where `1` and `1.0` are one key.
    OrderedSet,
    /// Several with one key, if they differ.
    Bag,
    /// Several with one key.
    DuplicateBag,
}

impl KnownTable {
    /// An empty table with these options.
    pub(in super::super) fn new(graph: &Graph, id: NodeId, options: NodeId, owner: usize) -> Self {
        let layout = TableLayout::of(graph, options);
        Self {
            id,
            alias: None,
            owner,
            layout,
            rows: Some(Vec::new()),
        }
    }

    /// Its objects, if they are known.
    pub(in super::super) fn rows(&self) -> Option<&[NodeId]> {
        self.rows.as_deref()
    }

    /// It has these objects now; `None` if they are not known.
    pub(in super::super) fn set_rows(&mut self, rows: Option<Vec<NodeId>>) {
        let was_known = self.rows.is_some();
        self.rows = rows.filter(|rows| was_known && rows.len() <= MOST_ROWS);
    }
}

impl TableLayout {
    /// What the options of a table say.
    fn of(graph: &Graph, options: NodeId) -> Self {
        let mut layout = Self {
            key_position: 0,
            kind: TableKind::Set,
        };
        let mut rest = options;
        while let Node::Cons(option, tail) = graph.node(rest) {
            layout.read(graph, *option);
            rest = *tail;
        }
        layout
    }

    fn read(&mut self, graph: &Graph, option: NodeId) {
        if let Node::Atom(kind) = graph.node(option) {
            self.kind = match kind.as_str() {
                "set" => TableKind::Set,
                "ordered_set" => TableKind::OrderedSet,
                "bag" => TableKind::Bag,
                "duplicate_bag" => TableKind::DuplicateBag,
                _ => self.kind,
            };
        }
        if let Some(position) = key_position_in(graph, option) {
            self.key_position = position;
        }
    }

    /// Whether several objects may have one key.
    pub(super) fn is_bag(self) -> bool {
        matches!(self.kind, TableKind::Bag | TableKind::DuplicateBag)
    }

    /// Whether it keeps objects that it has already.
    pub(super) fn keeps_all(self) -> bool {
        self.kind == TableKind::DuplicateBag
    }

    /// Whether it is in the order of its keys.
    pub(super) fn is_ordered(self) -> bool {
        self.kind == TableKind::OrderedSet
    }

    /// The key of an object; `None` if it is no tuple that has one.
    pub(in super::super) fn key_of(self, graph: &Graph, row: NodeId) -> Option<NodeId> {
        element(graph, row, self.key_position)
    }

    /// The condition on which two keys are one.
    pub(in super::super) fn same_key(
        self,
        graph: &mut Graph,
        one: NodeId,
        other: NodeId,
    ) -> Condition {
        match self.kind {
            TableKind::Set | TableKind::Bag | TableKind::DuplicateBag => graph.equal(one, other),
            TableKind::OrderedSet => graph.same(one, other),
        }
    }
}

fn key_position_in(graph: &Graph, option: NodeId) -> Option<usize> {
    let name = graph.node(element(graph, option, 0)?);
    let position = graph.node(element(graph, option, 1)?);
    if let (Node::Atom(name), Node::Integer(position)) = (name, position)
        && name.as_str() == "keypos"
    {
        return usize::try_from(position.to_i64()?.checked_sub(1)?).ok();
    }
    None
}

/// An element of a tuple, counted from 0.
pub(in super::super) fn element(graph: &Graph, node: NodeId, position: usize) -> Option<NodeId> {
    if let Node::Tuple(elements) = graph.node(node) {
        return elements.get(position).copied();
    }
    None
}

/// The objects that are put into a table: a tuple, or a list of tuples.
pub(in super::super) fn objects_in(graph: &Graph, given: NodeId) -> Option<Vec<NodeId>> {
    let is_tuple = |node: &NodeId| matches!(graph.node(*node), Node::Tuple(_));
    if is_tuple(&given) {
        return Some(vec![given]);
    }
    let (mut objects, mut rest) = (Vec::new(), given);
    while let Node::Cons(head, tail) = graph.node(rest) {
        objects.push(*head);
        rest = *tail;
    }
    let is_known = rest == NodeId::NIL && objects.iter().all(is_tuple);
    is_known.then_some(objects)
}
