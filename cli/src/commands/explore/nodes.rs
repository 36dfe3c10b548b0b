//! The nodes that take part in a search.

use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use reports::counted;
use trace_engine::explore::SearchBrief;

use crate::arguments::{ExploreOptions, Shortcut};
use crate::beam::BeamRules;
use crate::beam::worker::Worker;
use crate::cluster::{Pool, PoolEvents, PoolOptions, RemoteRunner};
use crate::failure::Failure;
use crate::program::target::Target;
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
    /// Connects to nodes, for a search that has such workers; `None` if no nodes are named.
    pub(super) fn start(
        options: &ExploreOptions,
        (target, brief): (&Target, SearchBrief),
        worker: impl FnOnce() -> Worker,
        rules: &Arc<BeamRules>,
        end: Instant,
    ) -> Result<Option<Self>, Failure> {
        let Some(pool) = options.cluster.pool()? else {
            return Ok(None);
        };
        let pool = PoolOptions {
            is_one_by_one: options.without.contains(&Shortcut::Batches),
            // That is said to the whole process, and a node is not only for this search.
            replays: !options.without.contains(&Shortcut::Z3),
            ..pool
        };
        let mut worker = worker();
        let (pool, events) = Pool::start(&pool, (&target.program, &brief), &mut worker, end)?;
        Ok(Some(Self {
            pool,
            events: Mutex::new(Some(events)),
            here: Mutex::new(worker),
            rules: Arc::clone(rules),
        }))
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

    /// Runners for all nodes: as many as can replay and solve at the same time here.
    pub(super) fn runners(&self) -> impl Iterator<Item = RemoteRunner<'_>> {
        let count = thread::available_parallelism().map_or(1, NonZero::get);
        (0..count).map(|_| RemoteRunner::new(&self.pool, &self.here, &self.rules))
    }

    /// Says how many runs each node has made, and which were not needed.
    pub(super) fn tell(&self, is_quiet: bool) {
        if is_quiet {
            return;
        }
        for node in self.pool.silent() {
            render::note(&format!("the search ended before {node} answered"));
        }
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
