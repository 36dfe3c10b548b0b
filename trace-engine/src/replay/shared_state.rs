//! What processes share beside messages, as far as steps show it: registered names, tables, arrays of
//! cells, persistent terms and the environments of applications.

use solver::graph::NodeId;

use super::kept_values::{CellArray, StoredTerm};
use super::tables::KnownTable;

/// What the processes of a run share.
#[derive(Debug, Default)]
pub(super) struct SharedState {
    /// Registered names with the numbers of their processes.
    names: Vec<(NodeId, usize)>,
    tables: Vec<KnownTable>,
    arrays: Vec<CellArray>,
    /// Persistent terms that followed code put there.
    pub(super) terms: Vec<StoredTerm>,
    /// Variables in the environments of applications, as far as steps show them.
    pub(super) variables: Vec<StoredTerm>,
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

    pub(super) fn add_table(&mut self, table: KnownTable) {
        self.remove_table(table.id);
        self.tables.push(table);
    }

    pub(super) fn remove_table(&mut self, id: NodeId) {
        let is_it = |table: &KnownTable| table.id == id || table.alias == Some(id);
        self.tables.retain(|table| !is_it(table));
    }

    /// The table that steps call by this value.
    pub(super) fn table(&self, id: NodeId) -> Option<&KnownTable> {
        let mut tables = self.tables.iter();
        tables.find(|table| table.id == id || table.alias == Some(id))
    }

    /// The same, to change it.
    pub(super) fn table_mut(&mut self, id: NodeId) -> Option<&mut KnownTable> {
        let mut tables = self.tables.iter_mut();
        tables.find(|table| table.id == id || table.alias == Some(id))
    }

    /// Forgets what is in all tables. Returns what was in them, as far as it was known.
    pub(super) fn forget_rows(&mut self) -> Vec<NodeId> {
        let mut forgotten = Vec::new();
        for table in &mut self.tables {
            forgotten.extend(table.rows().unwrap_or_default());
            table.set_rows(None);
        }
        forgotten
    }

    /// Whether nothing was kept.
    pub(super) fn keeps_nothing(&self) -> bool {
        self.tables.is_empty()
            && self.arrays.is_empty()
            && self.terms.is_empty()
            && self.variables.is_empty()
    }

    pub(super) fn add_array(&mut self, array: CellArray) {
        self.arrays.push(array);
    }

    pub(super) fn array(&self, id: NodeId) -> Option<&CellArray> {
        self.arrays.iter().find(|array| array.id == id)
    }

    pub(super) fn set_cell(&mut self, id: NodeId, index: usize, value: NodeId) {
        let array = self.arrays.iter_mut().find(|array| array.id == id);
        if let Some(cell) = array.and_then(|array| array.cells.get_mut(index)) {
            *cell = value;
        }
    }

    pub(super) fn forget_array(&mut self, id: NodeId) {
        self.arrays.retain(|array| array.id != id);
    }

    /// Forgets what is in all arrays. Returns what was in them.
    pub(super) fn forget_cells(&mut self) -> Vec<NodeId> {
        let arrays = std::mem::take(&mut self.arrays).into_iter();
        arrays.flat_map(|array| array.cells).collect()
    }

    /// One value for all that steps call a table.
    pub(super) fn table_id(&self, id: NodeId) -> NodeId {
        self.table(id).map_or(id, |table| table.id)
    }

    /// A process is gone, and with it its names and tables.
    pub(super) fn free_all_of(&mut self, process: usize) {
        self.names.retain(|it| it.1 != process);
        self.tables.retain(|it| it.owner != process);
    }
}
