//! A table while a step uses it.

use solver::graph::{Condition, Node, NodeId};

use super::super::objects::in_fixed_order;
use super::super::replayed::{Misfit, ProgramSite};
use super::super::run_state::RunState;
use super::contents::TableLayout;

/// The table of a step, while the step is replayed.
pub(super) struct TableUse {
    pub(super) at: ProgramSite,
    pub(super) id: NodeId,
    pub(super) layout: TableLayout,
    pub(super) rows: Vec<NodeId>,
    /// What the step returned in the run.
    pub(super) logged: NodeId,
}

/// What a step does to a table.
pub(super) struct TableChange {
    /// What it returns.
    pub(super) value: NodeId,
    /// What is in the table then.
    pub(super) rows: Vec<NodeId>,
}

/// Something that is perhaps not understood.
pub(super) type Understood<T> = Result<Option<T>, Misfit>;

impl TableUse {
    pub(super) fn unchanged(&self, value: NodeId) -> TableChange {
        TableChange {
            value,
            rows: self.rows.clone(),
        }
    }

    /// The table without some rows.
    pub(super) fn without(&self, places: &[usize], value: NodeId) -> TableChange {
        let rows = self.rows.iter().enumerate();
        let rows = rows.filter(|(place, _)| !places.contains(place));
        TableChange {
            value,
            rows: rows.map(|it| *it.1).collect(),
        }
    }

    /// The table with another row in a place.
    pub(super) fn with(&self, place: usize, row: NodeId, value: NodeId) -> TableChange {
        let mut change = self.unchanged(value);
        if let Some(old) = change.rows.get_mut(place) {
            *old = row;
        }
        change
    }

    /// The keys of rows.
    pub(super) fn keys(&self, run: &mut RunState<'_>, rows: &[NodeId]) -> Option<Vec<NodeId>> {
        let graph = run.graph();
        let keys = rows.iter().map(|row| self.layout.key_of(graph, *row));
        keys.collect()
    }

    /// Decides which row has a key, if one has it. The table must not be a bag.
    pub(super) fn find(
        &self,
        run: &mut RunState<'_>,
        rows: &[NodeId],
        key: NodeId,
    ) -> Understood<Option<usize>> {
        let Some(keys) = self.keys(run, rows) else {
            return Ok(None);
        };
        let graph = run.graph();
        let order = in_fixed_order(graph, &keys);
        let mut ways = Vec::with_capacity(rows.len() + 1);
        for known in order.iter().filter_map(|index| keys.get(*index)) {
            ways.push(self.layout.same_key(graph, key, *known));
        }
        ways.push(Condition::TRUE);
        let taken = run.choose(self.at, &ways)?;
        Ok(taken.map(|taken| order.get(taken).copied()))
    }

    /// Decides which rows have a key; at most one unless the table is a bag.
    pub(super) fn places_of(&self, run: &mut RunState<'_>, key: NodeId) -> Understood<Vec<usize>> {
        if !self.layout.is_bag() {
            let found = self.find(run, &self.rows, key)?;
            return Ok(found.map(|it| it.into_iter().collect()));
        }
        let Some(keys) = self.keys(run, &self.rows) else {
            return Ok(None);
        };
        let same = |run: &mut RunState<'_>, place: usize| {
            let known = keys.get(place).copied();
            known.map_or(Condition::FALSE, |known| {
                self.layout.same_key(run.graph(), key, known)
            })
        };
        let order = in_fixed_order(run.graph(), &keys);
        self.places_where(run, order, same)
    }

    /// Decides for these rows whether something holds. Returns those of which it does.
    pub(super) fn places_where(
        &self,
        run: &mut RunState<'_>,
        places: Vec<usize>,
        mut holds: impl FnMut(&mut RunState<'_>, usize) -> Condition,
    ) -> Understood<Vec<usize>> {
        let mut found = Vec::new();
        for place in places {
            let condition = holds(run, place);
            match run.choose(self.at, &[condition, Condition::TRUE])? {
                Some(0) => found.push(place),
                Some(_) => {}
                None => return Ok(None),
            }
        }
        found.sort_unstable();
        Ok(Some(found))
    }

    /// The rows in these places, as the list that the run had. Objects of a bag with the same key
    /// have an order that depends on how they came there.
    pub(super) fn list(&self, run: &mut RunState<'_>, places: &[usize]) -> NodeId {
        let rows = places.iter().filter_map(|it| self.rows.get(*it));
        let rows: Vec<NodeId> = rows.copied().collect();
        let ordered = as_logged(run, &rows, self.logged).unwrap_or(rows);
        list_of(run, ordered)
    }
}

/// A list of these.
pub(super) fn list_of(run: &mut RunState<'_>, elements: Vec<NodeId>) -> NodeId {
    let graph = run.graph();
    let elements = elements.into_iter().rev();
    elements.fold(NodeId::NIL, |rest, it| graph.cons(it, rest))
}

/// Values in the order in which the run had them; `None` if that is not clear.
pub(super) fn as_logged(
    run: &mut RunState<'_>,
    values: &[NodeId],
    logged: NodeId,
) -> Option<Vec<NodeId>> {
    let graph = &mut run.replayed.graph;
    let mut open: Vec<(NodeId, NodeId)> = Vec::with_capacity(values.len());
    for value in values {
        let in_run = run.input.value(graph, *value)?;
        let is_twin = |it: &(NodeId, NodeId)| it.0 == in_run && it.1 != *value;
        if open.iter().any(is_twin) {
            return None;
        }
        open.push((in_run, *value));
    }
    let mut ordered = Vec::with_capacity(open.len());
    let mut rest = logged;
    while let Node::Cons(head, tail) = *graph.node(rest) {
        let place = open.iter().position(|it| it.0 == head)?;
        ordered.push(open.swap_remove(place).1);
        rest = tail;
    }
    (open.is_empty() && rest == NodeId::NIL).then_some(ordered)
}
