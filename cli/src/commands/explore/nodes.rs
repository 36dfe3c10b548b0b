//! The nodes that take part in a search.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use reports::counted;

use crate::beam::BeamRules;
use crate::beam::worker::Worker;
use crate::cluster::{Pool, PoolEvents, PoolOptions, RemoteRunner};
use crate::failure::Failure;
use crate::terminal::render;

/// The nodes, and what their runners have in common.
pub(super) struct Nodes {
    pool: Pool,
    events: Mutex<Option<PoolEvents>>,
    /// A worker here, for what nodes cannot do.
    here: Mutex<Worker>,
    rules: Arc<BeamRules>,
}

/// Ends the sessions with nodes when it is dropped.
pub(super) struct Sessions<'nodes>(&'nodes Nodes);

impl Nodes {
    /// Connects to nodes, for a search that has such workers.
    pub(super) fn start(
        options: &PoolOptions,
        mut worker: Worker,
        rules: &Arc<BeamRules>,
        end: Instant,
    ) -> Result<Self, Failure> {
        let (pool, events) = Pool::start(options, &mut worker, end)?;
        Ok(Self {
            pool,
            events: Mutex::new(Some(events)),
            here: Mutex::new(worker),
            rules: Arc::clone(rules),
        })
    }

    pub(super) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Listens to the nodes, until the sessions end.
    pub(super) fn listen(&self) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(events) = events.take() {
            self.pool.listen(events);
        }
    }

    pub(super) fn sessions(&self) -> Sessions<'_> {
        Sessions(self)
    }

    /// A runner for a node that has come; waits for one. `None` when the search is over.
    pub(super) fn runner(&self, should_stop: &dyn Fn() -> bool) -> Option<RemoteRunner<'_>> {
        RemoteRunner::wait_for(&self.pool, &self.here, &self.rules, should_stop)
    }

    /// Says how many runs each node has made.
    pub(super) fn tell(&self) {
        for (node, runs) in self.pool.made() {
            render::note(&format!("{node} made {}", counted(runs, "run")));
        }
    }
}

impl Drop for Sessions<'_> {
    fn drop(&mut self) {
        self.0.pool.end();
    }
}
