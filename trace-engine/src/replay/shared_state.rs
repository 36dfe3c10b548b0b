//! What processes share beside messages, as far as steps show it: registered names and tables.

use solver::graph::{Graph, Node, NodeId};

/// The names and tables of a run.
#[derive(Debug, Default)]
pub(super) struct SharedState {
    /// Registered names with the numbers of their processes.
    names: Vec<(NodeId, usize)>,
    tables: Vec<KnownTable>,
}

/// A table that a process made.
#[derive(Clone, Copy, Debug)]
struct KnownTable {
    /// What steps call it: its reference, or its name.
    id: NodeId,
    /// What else they call it: the reference of a table with a name.
    alias: Option<NodeId>,
    owner: usize,
    /// The position of the key in its objects, from 0.
    key_position: usize,
}

impl SharedState {
    /// The process that has a name.
    pub(super) fn registered(&self, name: NodeId) -> Option<usize> {
        let found = self.names.iter().find(|it| it.0 == name);
        found.map(|it| it.1)
    }

    /// All registered names, the oldest first.
    pub(super) fn names(&self) -> impl Iterator<Item = NodeId> {
        self.names.iter().map(|it| it.0)
    }

    pub(super) fn register(&mut self, name: NodeId, process: usize) {
        self.unregister(name);
        self.names.push((name, process));
    }

    pub(super) fn unregister(&mut self, name: NodeId) {
        self.names.retain(|it| it.0 != name);
    }

    /// A process made a table with these options.
    pub(super) fn add_table(&mut self, graph: &Graph, id: NodeId, options: NodeId, owner: usize) {
        self.tables.retain(|table| table.id != id);
        self.tables.push(KnownTable {
            id,
            alias: None,
            owner,
            key_position: key_position(graph, options),
        });
    }

    /// A table with a name has this reference too.
    pub(super) fn add_alias(&mut self, id: NodeId, alias: NodeId) {
        let mut tables = self.tables.iter_mut();
        if let Some(table) = tables.find(|table| table.id == id) {
            table.alias = Some(alias);
        }
    }

    fn table(&self, id: NodeId) -> Option<&KnownTable> {
        let mut tables = self.tables.iter();
        tables.find(|table| table.id == id || table.alias == Some(id))
    }

    /// One value for all that steps call a table.
    pub(super) fn table_id(&self, id: NodeId) -> NodeId {
        self.table(id).map_or(id, |table| table.id)
    }

    /// The position of the key in the objects of a table, from 0, if it is known.
    pub(super) fn key_position(&self, id: NodeId) -> Option<usize> {
        self.table(id).map(|table| table.key_position)
    }

    /// The names and tables of a process, which end with it.
    pub(super) fn take_all_of(&mut self, process: usize) -> (Vec<NodeId>, Vec<NodeId>) {
        let names = self.names.extract_if(.., |it| it.1 == process);
        let names = names.map(|it| it.0).collect();
        let tables = self.tables.extract_if(.., |it| it.owner == process);
        (names, tables.map(|it| it.id).collect())
    }
}

/// The position of the key that the options of a table name, from 0.
fn key_position(graph: &Graph, options: NodeId) -> usize {
    let mut rest = options;
    while let Node::Cons(option, tail) = graph.node(rest) {
        if let Some(position) = key_position_in(graph, *option) {
            return position;
        }
        rest = *tail;
    }
    0
}

fn key_position_in(graph: &Graph, option: NodeId) -> Option<usize> {
    let Node::Tuple(parts) = graph.node(option) else {
        return None;
    };
    let [name, position] = parts.as_slice() else {
        return None;
    };
    match (graph.node(*name), graph.node(*position)) {
        (Node::Atom(name), Node::Integer(position)) if name.as_str() == "keypos" => {
            usize::try_from(position.to_i64()?.checked_sub(1)?).ok()
        }
        _ => None,
    }
}
