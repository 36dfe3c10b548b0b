//! A node: runs inputs of other machines in workers.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};
use std::env;
use std::fs;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use erlang_term::{Atom, Term};
use tempfile::TempDir;

use super::fleet::Times;
use super::frame::{NodeReply, NodeRequest, Order};
use super::library;
use super::member::{Event, Events, Member, MemberOptions};
use super::node_name::NodeName;
use crate::beam::worker::Worker;
use crate::beam::{BeamError, BeamRules, Standby};
use crate::failure::Failure;
use crate::search::interruption::Interruption;
use crate::terminal::render;

/// How many programs a node keeps that no search uses.
const MOST_PROGRAMS: usize = 8;

/// How long a node that leaves waits for searches to take note.
const FAREWELL: Duration = Duration::from_secs(3);

/// How often we look whether we should leave.
const PAUSE: Duration = Duration::from_millis(100);

/// What all threads of a node share.
struct Node {
    member: Member,
    workers: usize,
    /// Where programs are kept.
    folder: TempDir,
    /// Has the output of programs, which nobody wants to see.
    standby: Arc<Standby>,
    state: Mutex<NodeState>,
    /// There is something to run, or a session is over, or the node leaves.
    changed: Condvar,
}

#[derive(Default)]
struct NodeState {
    /// By their hashes, the latest last.
    programs: VecDeque<(String, Arc<Program>)>,
    /// The program of each session, if the node has it.
    sessions: HashMap<i64, Option<Arc<Program>>>,
    queue: VecDeque<WaitingRun>,
    running: usize,
    is_leaving: bool,
    is_over: bool,
}

/// An input that waits for a worker.
struct WaitingRun {
    session: i64,
    order: Order,
    /// The atoms that matter.
    atoms: Arc<[Atom]>,
    since: Instant,
}

/// A program: what workers need.
struct Program {
    code: Term,
    configuration: Term,
    /// Has the code around it.
    _library: TempDir,
}

/// A worker of a session, and what values mean on its BEAM.
struct OfSession {
    worker: Worker,
    rules: Arc<BeamRules>,
}

/// Takes part in searches until a signal comes.
pub(crate) fn serve(
    name: &NodeName,
    options: &MemberOptions,
    workers: usize,
) -> Result<(), Failure> {
    let interruption = Interruption::watch(None)?;
    let (member, events) = Member::start(name, true, &[], options)?;
    // The code in the folder where a BEAM starts is on its path, and should be nobody's.
    let folder = tempfile::tempdir();
    let folder = folder.map_err(|error| Failure::io("create", &env::temp_dir(), &error))?;
    let empty = folder.path().join("empty");
    fs::create_dir(&empty)
        .and_then(|()| env::set_current_dir(&empty))
        .map_err(|error| Failure::io("create", &empty, &error))?;
    let standby = Arc::new(Standby::default());
    let _output = standby.keep_output();
    let node = Node {
        member,
        workers: workers.max(1),
        folder,
        standby,
        state: Mutex::default(),
        changed: Condvar::new(),
    };
    let shown = match workers {
        1 => "1 worker".to_owned(),
        workers => format!("{workers} workers"),
    };
    render::note(&format!("{name} takes part in searches, with {shown}"));
    thread::scope(|scope| {
        for _ in 0..node.workers {
            scope.spawn(|| node.work());
        }
        let listening = scope.spawn(|| node.listen(events));
        while !interruption.is_set() && !listening.is_finished() {
            thread::sleep(PAUSE);
        }
        let is_lost = listening.is_finished();
        node.leave(is_lost);
        if is_lost {
            return Err(BeamError::Died.into());
        }
        Ok(())
    })
}

impl Program {
    /// Keeps a program and the code around it below a folder, or says why that cannot be done.
    fn keep(program: &Term, folder: &TempDir) -> Result<Self, String> {
        let Some([code, library]) = program.as_tuple() else {
            return Err("the program makes no sense".to_owned());
        };
        let kept = tempfile::tempdir_in(folder.path()).map_err(|error| error.to_string())?;
        Ok(Self {
            code: code.clone(),
            configuration: library::write(library, kept.path())?,
            _library: kept,
        })
    }
}

impl Node {
    fn listen(&self, events: Events) {
        for event in events {
            match event {
                Event::Opened { session, .. } => {
                    self.lock().sessions.insert(session, None);
                }
                Event::Frame { session, bytes } => {
                    if let Some(request) = NodeRequest::from_bytes(&bytes) {
                        self.take(session, request);
                    }
                }
                Event::Closed { session } => {
                    let mut state = self.lock();
                    state.sessions.remove(&session);
                    state.queue.retain(|it| it.session != session);
                    drop(state);
                    self.changed.notify_all();
                }
                // Nodes connect to nobody.
                Event::Refused { .. } => {}
            }
        }
    }

    fn take(&self, session: i64, request: NodeRequest) {
        let mut state = self.lock();
        if state.is_leaving {
            drop(state);
            return match request {
                NodeRequest::Begin(_) | NodeRequest::Program(..) => {
                    self.reply(session, &NodeReply::Leaving)
                }
                NodeRequest::Run(_, orders) => self.give_back(session, &orders),
            };
        }
        match request {
            NodeRequest::Begin(hash) => {
                let known = state.programs.iter().find(|it| it.0 == hash);
                let known = known.map(|it| Arc::clone(&it.1));
                let is_known = known.is_some();
                state.sessions.insert(session, known);
                drop(state);
                let ready = NodeReply::Ready(self.workers);
                self.reply(session, if is_known { &ready } else { &NodeReply::Wanted });
            }
            NodeRequest::Program(hash, program) => {
                drop(state);
                let code = match Program::keep(&program, &self.folder) {
                    Ok(code) => Arc::new(code),
                    Err(why) => return self.reply(session, &NodeReply::Failed(why)),
                };
                let mut state = self.lock();
                state.programs.push_back((hash, Arc::clone(&code)));
                if state.programs.len() > MOST_PROGRAMS {
                    state.programs.pop_front();
                }
                state.sessions.insert(session, Some(code));
                drop(state);
                self.reply(session, &NodeReply::Ready(self.workers));
            }
            NodeRequest::Run(atoms, orders) => {
                let (atoms, since) = (Arc::from(atoms), Instant::now());
                state
                    .queue
                    .extend(orders.into_iter().map(|order| WaitingRun {
                        session,
                        order,
                        atoms: Arc::clone(&atoms),
                        since,
                    }));
                drop(state);
                self.changed.notify_all();
            }
        }
    }

    fn give_back(&self, session: i64, orders: &[Order]) {
        for order in orders {
            self.reply(session, &NodeReply::Returned(order.id));
        }
    }

    /// Runs one input after another.
    fn work(&self) {
        let mut workers: HashMap<i64, OfSession> = HashMap::new();
        while let Some((waiting, code)) = self.next(&mut workers) {
            let session = waiting.session;
            let reply = self.run(waiting, &code, &mut workers);
            self.reply(session, &reply.unwrap_or_else(NodeReply::Failed));
            self.lock().running -= 1;
        }
    }

    /// Waits for the next input; `None` when the node has left. Workers of sessions that are over
    /// end.
    fn next(&self, workers: &mut HashMap<i64, OfSession>) -> Option<(WaitingRun, Arc<Program>)> {
        let mut state = self.lock();
        loop {
            if state.is_over || state.is_leaving {
                return None;
            }
            let is_old = |session: &i64| !state.sessions.contains_key(session);
            let old: Vec<i64> = workers.keys().copied().filter(is_old).collect();
            if !old.is_empty() {
                // Ending a BEAM takes time.
                drop(state);
                for session in old {
                    workers.remove(&session);
                }
                state = self.lock();
                continue;
            }
            if let Some(waiting) = state.queue.pop_front() {
                if let Some(Some(code)) = state.sessions.get(&waiting.session).cloned() {
                    state.running += 1;
                    return Some((waiting, code));
                }
                continue;
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn run(
        &self,
        waiting: WaitingRun,
        program: &Program,
        workers: &mut HashMap<i64, OfSession>,
    ) -> Result<NodeReply, String> {
        let WaitingRun {
            session,
            order,
            atoms,
            since,
        } = waiting;
        let OfSession { worker, rules } = match workers.entry(session) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(self.worker_for(program)?),
        };
        if atoms.len() > rules.count() {
            rules.set_earlier(atoms.to_vec());
        }
        let start = Instant::now();
        let run = worker.run_until(
            (&order.module, &order.function),
            order.arguments,
            &order.schedule,
            &order.limits,
            None,
        );
        let times = Times {
            waited: start.saturating_duration_since(since),
            ran: start.elapsed(),
        };
        match run {
            Ok(Some(run)) => {
                let agreed = worker.agreed_in_run();
                Ok(NodeReply::Ran(order.id, Box::new(run), agreed, times))
            }
            Ok(None) => Err("there was no time".to_owned()),
            Err(Failure(messages)) => {
                let titles = messages.into_iter().map(|it| it.title);
                Err(titles.collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn worker_for(&self, program: &Program) -> Result<OfSession, String> {
        let worker = Worker::from_term(&program.code, &program.configuration)
            .ok_or("the program makes no sense")?;
        let rules = Arc::new(BeamRules::default());
        let worker = worker.with(Arc::clone(&self.standby));
        let worker = worker.with_rules(Arc::clone(&rules));
        Ok(OfSession { worker, rules })
    }

    fn reply(&self, session: i64, reply: &NodeReply) {
        self.member.send(session, reply.to_bytes());
    }

    /// Gives back what has not begun, finishes what has, and ends.
    fn leave(&self, is_lost: bool) {
        let mut state = self.lock();
        state.is_leaving = true;
        let queue = std::mem::take(&mut state.queue);
        let sessions: Vec<i64> = state.sessions.keys().copied().collect();
        drop(state);
        self.changed.notify_all();
        if !is_lost {
            for waiting in queue {
                self.reply(waiting.session, &NodeReply::Returned(waiting.order.id));
            }
            for session in sessions {
                self.reply(session, &NodeReply::Leaving);
            }
            while self.lock().running > 0 {
                thread::sleep(PAUSE / 10);
            }
            let end = Instant::now() + FAREWELL;
            while !self.lock().sessions.is_empty() && Instant::now() < end {
                thread::sleep(PAUSE / 10);
            }
        }
        self.lock().is_over = true;
        self.changed.notify_all();
        self.member.end();
    }

    fn lock(&self) -> MutexGuard<'_, NodeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
