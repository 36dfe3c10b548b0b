//! Maps that are built or changed.

use flattener::ast::MapOperator;
use flattener::flat::{Operation, Statement};

use super::{Misfit, Replay};
use solver::graph::{Condition, Kinds, NodeId};

/// What a map expression needs, and what it raises otherwise.
struct Change {
    needs: Vec<(Condition, NodeId)>,
    value: NodeId,
}

impl<'run> Replay<'run> {
    /// The value of a map expression that has one.
    pub(super) fn changed_map(&mut self, statement: &'run Statement) -> Result<NodeId, Misfit> {
        let change = self.change(statement)?;
        for (condition, _) in change.needs {
            self.decide(statement, &[condition, Condition::TRUE], 0)?;
        }
        Ok(change.value)
    }

    /// The reason that a map expression raises, with what was decided on the way there; `None` if
    /// it is no map expression, or that cannot be told.
    pub(super) fn map_failure(
        &mut self,
        statement: &'run Statement,
        logged: NodeId,
    ) -> Result<Option<NodeId>, Misfit> {
        if !matches!(statement.operation, Operation::Map { .. }) {
            return Ok(None);
        }
        let change = self.change(statement)?;
        let failed: Vec<Condition> = change.needs.iter().map(|it| !it.0).collect();
        let Some(number) = self.way_taken(&failed) else {
            return Ok(None);
        };
        let reason = change.needs.get(number).map(|it| it.1);
        let Some(reason) = reason.filter(|it| self.is_as_logged(*it, logged)) else {
            return Ok(None);
        };
        for (place, (condition, _)) in change.needs.iter().take(number + 1).enumerate() {
            let way = usize::from(place == number);
            self.decide(statement, &[*condition, Condition::TRUE], way)?;
        }
        Ok(Some(reason))
    }

    fn change(&mut self, statement: &'run Statement) -> Result<Change, Misfit> {
        let Operation::Map { base, pairs } = &statement.operation else {
            return Err(self.misfit("there is no map"));
        };
        let mut needs = Vec::new();
        let mut value = match base {
            Some(base) => {
                let base = self.value(base);
                needs.push(self.is_map(base));
                base
            }
            None => self.graph().map([]),
        };
        for (operator, key, inner) in pairs {
            let (key, inner) = (self.value(key), self.value(inner));
            if *operator == MapOperator::Exact {
                needs.push(self.is_key(key, value));
            }
            value = self.graph().put(value, key, inner);
        }
        Ok(Change { needs, value })
    }

    fn is_map(&mut self, value: NodeId) -> (Condition, NodeId) {
        let graph = self.graph();
        let reason = graph.atom("badmap");
        let reason = graph.tuple([reason, value]);
        (graph.kind(Kinds::MAP, value), reason)
    }

    fn is_key(&mut self, key: NodeId, map: NodeId) -> (Condition, NodeId) {
        let graph = self.graph();
        let reason = graph.atom("badkey");
        let reason = graph.tuple([reason, key]);
        (graph.has_key(key, map), reason)
    }
}
