//! A search that uses a node, and its program there.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use erlang_term::Term;
use solver::ReleaseRules;
use tempfile::TempDir;
use trace_engine::explore::{
    Answers, AskedWay, Assistant, OpenRun, ReplayOrder, ReplayedElsewhere, SearchBrief, Solvers,
};
use trace_format::ProcessLogs;

use super::library;
use crate::beam::worker::Run;
use crate::search::solvers::solvers;

/// A search that uses the node.
pub(super) struct Session {
    pub(super) id: i64,
    /// `None` as long as the node does not have it.
    pub(super) program: Option<Arc<Program>>,
    /// What an assistant must know of the search.
    pub(super) brief: Arc<[u8]>,
    /// Made for the first run; `None` if the search does all by itself.
    assistant: OnceLock<Option<Arc<Assistant>>>,
    /// Replayed runs about which the search may ask, by the numbers of their inputs.
    open: Mutex<HashMap<i64, OpenRun>>,
    is_over: AtomicBool,
}

/// A program: what workers need.
pub(super) struct Program {
    pub(super) code: Term,
    pub(super) configuration: Term,
    /// What is replayed.
    modules: Vec<u8>,
    /// The assistant of the last search.
    last: Mutex<Option<KeptAssistant>>,
    /// Has the code around it.
    _library: TempDir,
}

/// What a search was about, and what was made of that and the program.
struct KeptAssistant {
    brief: Arc<[u8]>,
    assistant: Arc<Assistant>,
}

impl Program {
    /// Keeps a program and the code around it below a folder, or says why that cannot be done.
    pub(super) fn keep(program: &Term, folder: &TempDir) -> Result<Self, String> {
        let Some([code, library, modules]) = program.as_tuple() else {
            return Err("the program makes no sense".to_owned());
        };
        let kept = tempfile::tempdir_in(folder.path()).map_err(|error| error.to_string())?;
        Ok(Self {
            code: code.clone(),
            configuration: library::write(library, kept.path())?,
            modules: modules.as_binary().unwrap_or_default().to_vec(),
            last: Mutex::default(),
            _library: kept,
        })
    }

    /// An assistant of a search, often one of the same functions as before.
    fn assistant(&self, brief: &Arc<[u8]>) -> Option<Arc<Assistant>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = last.as_ref().filter(|it| it.brief == *brief) {
            return Some(Arc::clone(&known.assistant));
        }
        let about: SearchBrief = postcard::from_bytes(brief).ok()?;
        let modules = postcard::from_bytes(&self.modules).ok()?;
        let made = Arc::new(Assistant::new(modules, about));
        *last = Some(KeptAssistant {
            brief: Arc::clone(brief),
            assistant: Arc::clone(&made),
        });
        Some(made)
    }
}

impl Session {
    pub(super) fn new(id: i64, program: Option<Arc<Program>>, brief: Arc<[u8]>) -> Arc<Self> {
        Arc::new(Self {
            id,
            program,
            brief,
            assistant: OnceLock::new(),
            open: Mutex::default(),
            is_over: AtomicBool::new(false),
        })
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn open(&self) -> MutexGuard<'_, HashMap<i64, OpenRun>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn assistant(&self) -> Option<&Assistant> {
        let make = || self.program.as_ref()?.assistant(&self.brief);
        self.assistant.get_or_init(make).as_deref()
    }

    /// Replays a run, so that the search may ask about it. What it is sure to ask is answered at once.
    pub(super) fn replay(
        &self,
        (id, order): (i64, &ReplayOrder),
        arguments: Vec<Term>,
        (run, rules): (&Run, &ReleaseRules),
        solvers: &mut Solvers,
    ) -> Option<Box<ReplayedElsewhere>> {
        let start = Instant::now();
        let logs = ProcessLogs::new(run.logs.clone(), run.gate.leases.iter().copied());
        let assistant = self.assistant()?;
        let followed = assistant.replay(
            order,
            arguments,
            (&logs, rules),
            &|| start.elapsed(),
            &|| self.is_over(),
        );
        let (summary, open) = followed?;
        let took = start.elapsed();
        let answers = match assistant.foreseen(order, &open) {
            // Otherwise the search has to look at the run itself.
            Some(ways) => Some(self.answer(assistant, (open, &ways), solvers)?),
            None => {
                self.open().insert(id, open);
                None
            }
        };
        Some(Box::new(ReplayedElsewhere {
            summary,
            took,
            answers,
        }))
    }

    /// Answers questions about a run; `None` if nobody waits for that, or there is no answer.
    pub(super) fn solve(
        &self,
        id: i64,
        ways: &[AskedWay],
        solvers: &mut Solvers,
    ) -> Option<Answers> {
        let run = self.open().remove(&id)?;
        self.answer(self.assistant()?, (run, ways), solvers)
    }

    fn answer(
        &self,
        assistant: &Assistant,
        (run, ways): (OpenRun, &[AskedWay]),
        solvers: &mut Solvers,
    ) -> Option<Answers> {
        let start = Instant::now();
        let now = || start.elapsed();
        assistant.solve(run, ways, solvers, &now, &|| self.is_over())
    }

    pub(super) fn solvers(&self) -> Solvers {
        let limits = self.assistant().and_then(Assistant::limits);
        solvers(limits.map(|it| it.shortcuts).unwrap_or_default())
    }

    /// The search will not ask about a run.
    pub(super) fn forget(&self, id: i64) {
        self.open().remove(&id);
    }

    /// Nobody waits for answers any more.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.open().clear();
    }
}
