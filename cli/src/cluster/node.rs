//! A node: runs inputs of other machines in workers, replays the runs, and solves for inputs.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};
use std::env;
use std::fs;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use erlang_term::{Atom, Term};
use tempfile::TempDir;
use trace_engine::explore::{AskedWay, Solvers};
use trace_format::Schedule;

use super::fleet::Times;
use super::frame::{Batch, FunctionOrder, NodeReply, NodeRequest, NodeRun, Order};
use super::member::{Event, Events, Member, MemberOptions};
use super::node_name::NodeName;
use super::outbox::Outbox;
use super::session::{Program, Session};
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
    outbox: Outbox,
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
    sessions: HashMap<i64, Arc<Session>>,
    queue: VecDeque<WaitingRun>,
    /// Questions about runs come before runs: others wait for what follows from them.
    questions: VecDeque<WaitingQuestion>,
    running: usize,
    is_leaving: bool,
    is_over: bool,
}

/// An input that waits for a worker.
struct WaitingRun {
    session: Arc<Session>,
    id: i64,
    order: Arc<Order>,
    function: Arc<FunctionOrder>,
    /// The atoms that matter.
    atoms: Arc<[Atom]>,
    since: Instant,
}

/// A question that waits for a worker.
struct WaitingQuestion {
    session: Arc<Session>,
    /// The number of the input.
    id: i64,
    ways: Vec<AskedWay>,
    since: Instant,
}

/// What a worker does next.
enum NodeWork {
    Run(WaitingRun, Arc<Program>),
    Solve(WaitingQuestion),
}

/// A worker of a session, and what values mean on its BEAM.
struct OfSession {
    worker: Worker,
    rules: Arc<BeamRules>,
}

/// The workers of a thread and its solvers, by their sessions.
#[derive(Default)]
struct ThreadWorkers {
    beams: HashMap<i64, OfSession>,
    solvers: HashMap<i64, Solvers>,
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
        outbox: Outbox::default(),
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
        scope.spawn(|| node.outbox.keep_sending(&node.member));
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

impl Node {
    fn listen(&self, events: Events) {
        for event in events {
            match event {
                Event::Opened { session, .. } => {
                    let unknown = Session::new(session, None, Arc::default());
                    self.lock().sessions.insert(session, unknown);
                }
                Event::Frame { session, bytes } => {
                    if let Some(request) = NodeRequest::from_bytes(&bytes) {
                        self.take(session, request);
                    }
                }
                Event::Closed { session } => {
                    let mut state = self.lock();
                    if let Some(session) = state.sessions.remove(&session) {
                        session.end();
                    }
                    state.queue.retain(|it| it.session.id != session);
                    state.questions.retain(|it| it.session.id != session);
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
                NodeRequest::Begin(..) | NodeRequest::Program(..) => {
                    self.reply(session, NodeReply::Leaving)
                }
                NodeRequest::Run(batch) => {
                    let questions = batch.questions.iter().filter(|it| !it.1.is_empty());
                    let orders = batch.orders.iter().map(|it| it.0);
                    self.give_back(session, orders.chain(questions.map(|it| it.0)));
                }
            };
        }
        match request {
            NodeRequest::Begin(hash, brief) => {
                let known = state.programs.iter().find(|it| it.0 == hash);
                let known = known.map(|it| Arc::clone(&it.1));
                let is_known = known.is_some();
                let known = Session::new(session, known, Arc::from(brief));
                state.sessions.insert(session, known);
                drop(state);
                let ready = NodeReply::Ready(self.workers);
                self.reply(session, if is_known { ready } else { NodeReply::Wanted });
            }
            NodeRequest::Program(hash, program) => {
                drop(state);
                let code = match Program::keep(&program, &self.folder) {
                    Ok(code) => Arc::new(code),
                    Err(why) => return self.reply(session, NodeReply::Failed(why)),
                };
                let mut state = self.lock();
                state.programs.push_back((hash, Arc::clone(&code)));
                if state.programs.len() > MOST_PROGRAMS {
                    state.programs.pop_front();
                }
                let brief = state.sessions.get(&session);
                let brief = brief.map(|it| Arc::clone(&it.brief)).unwrap_or_default();
                let known = Session::new(session, Some(code), brief);
                state.sessions.insert(session, known);
                drop(state);
                self.reply(session, NodeReply::Ready(self.workers));
            }
            NodeRequest::Run(batch) => {
                self.outbox.set_moment(batch.moment);
                if let Some(session) = state.sessions.get(&session).cloned() {
                    state.take(&session, batch);
                }
                drop(state);
                self.changed.notify_all();
            }
        }
    }

    fn give_back(&self, session: i64, ids: impl Iterator<Item = i64>) {
        for id in ids {
            self.reply(session, NodeReply::Returned(id));
        }
    }

    /// Runs one input after another, and answers questions about the runs.
    fn work(&self) {
        let mut workers = ThreadWorkers::default();
        while let Some(work) = self.next(&mut workers) {
            match work {
                NodeWork::Run(waiting, code) => {
                    let session = waiting.session.id;
                    let reply = self.run(waiting, &code, &mut workers);
                    self.reply(session, reply.unwrap_or_else(NodeReply::Failed));
                }
                NodeWork::Solve(waiting) => self.solve(&waiting, &mut workers.solvers),
            }
            let mut state = self.lock();
            state.running -= 1;
            let is_idle = state.queue.is_empty() && state.questions.is_empty();
            drop(state);
            if is_idle {
                self.outbox.send(&self.member);
            }
        }
    }

    fn solve(&self, waiting: &WaitingQuestion, solvers: &mut HashMap<i64, Solvers>) {
        let WaitingQuestion {
            session,
            id,
            ways,
            since,
        } = waiting;
        let start = Instant::now();
        let answers = session.solve(*id, ways, solvers_of(session, solvers));
        let times = Times {
            waited: start.saturating_duration_since(*since),
            ran: start.elapsed(),
        };
        let reply = match answers {
            Some(answers) => NodeReply::answered(*id, times, &answers),
            None => NodeReply::Returned(*id),
        };
        self.reply(session.id, reply);
    }

    /// Waits for the next thing to do; `None` when the node has left. Workers of sessions that are over
    /// end.
    fn next(&self, workers: &mut ThreadWorkers) -> Option<NodeWork> {
        let mut state = self.lock();
        loop {
            if state.is_over || state.is_leaving {
                return None;
            }
            let is_old = |session: &i64| !state.sessions.contains_key(session);
            let known = workers.beams.keys().chain(workers.solvers.keys());
            let old: Vec<i64> = known.copied().filter(is_old).collect();
            if !old.is_empty() {
                // Ending a BEAM takes time.
                drop(state);
                for session in old {
                    workers.beams.remove(&session);
                    workers.solvers.remove(&session);
                }
                state = self.lock();
                continue;
            }
            if let Some(waiting) = state.questions.pop_front() {
                state.running += 1;
                return Some(NodeWork::Solve(waiting));
            }
            if let Some(waiting) = state.queue.pop_front() {
                if let Some(code) = waiting.session.program.clone() {
                    state.running += 1;
                    return Some(NodeWork::Run(waiting, code));
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
        workers: &mut ThreadWorkers,
    ) -> Result<NodeReply, String> {
        let WaitingRun {
            session,
            id,
            order,
            function,
            atoms,
            since,
        } = waiting;
        let OfSession { worker, rules } = match workers.beams.entry(session.id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(self.worker_for(program)?),
        };
        if atoms.len() > rules.count() {
            rules.set_earlier(atoms.to_vec());
        }
        let start = Instant::now();
        let schedule: Schedule = order.schedule.parse().unwrap_or_default();
        let arguments = order.arguments.terms();
        let run = worker.run_until(
            (&function.module, &function.function),
            Term::list(arguments.clone()),
            &schedule,
            &function.limits,
            None,
        );
        let took = start.elapsed();
        match run {
            Ok(Some(run)) => {
                let agreed = worker.agreed_in_run();
                let order_of_replay = order.replay.as_ref().map(|it| (id, it));
                let replayed = order_of_replay.and_then(|of_replay| {
                    let rules = worker.rules();
                    let run = (&run, &rules);
                    let solvers = solvers_of(&session, &mut workers.solvers);
                    session.replay(of_replay, arguments, run, solvers)
                });
                let run = NodeRun {
                    run,
                    agreed,
                    took,
                    replayed,
                };
                let times = Times {
                    waited: start.saturating_duration_since(since),
                    ran: start.elapsed(),
                };
                Ok(NodeReply::ran(id, times, &run))
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

    fn reply(&self, session: i64, reply: NodeReply) {
        self.outbox.push(session, reply);
    }

    /// Gives back what has not begun, finishes what has, and ends.
    fn leave(&self, is_lost: bool) {
        let mut state = self.lock();
        state.is_leaving = true;
        let queue = std::mem::take(&mut state.queue);
        let questions = std::mem::take(&mut state.questions);
        let sessions: Vec<i64> = state.sessions.keys().copied().collect();
        drop(state);
        self.changed.notify_all();
        if !is_lost {
            for waiting in queue {
                self.reply(waiting.session.id, NodeReply::Returned(waiting.id));
            }
            for waiting in questions {
                self.reply(waiting.session.id, NodeReply::Returned(waiting.id));
            }
            for session in sessions {
                self.reply(session, NodeReply::Leaving);
            }
            while self.lock().running > 0 {
                thread::sleep(PAUSE / 10);
            }
            self.outbox.send(&self.member);
            let end = Instant::now() + FAREWELL;
            while !self.lock().sessions.is_empty() && Instant::now() < end {
                thread::sleep(PAUSE / 10);
            }
        }
        self.outbox.end();
        self.lock().is_over = true;
        self.changed.notify_all();
        self.member.end();
    }

    fn lock(&self) -> MutexGuard<'_, NodeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl NodeState {
    /// Takes what a session wants.
    fn take(&mut self, session: &Arc<Session>, batch: Batch) {
        let (atoms, since) = (Arc::from(batch.atoms), Instant::now());
        let functions: HashMap<usize, Arc<FunctionOrder>> = batch.functions.into_iter().collect();
        for (id, order) in batch.orders {
            if let Some(function) = functions.get(&order.task) {
                self.queue.push_back(WaitingRun {
                    session: Arc::clone(session),
                    id,
                    function: Arc::clone(function),
                    order,
                    atoms: Arc::clone(&atoms),
                    since,
                });
            }
        }
        for (id, ways) in batch.questions {
            if ways.is_empty() {
                session.forget(id);
                continue;
            }
            self.questions.push_back(WaitingQuestion {
                session: Arc::clone(session),
                id,
                ways,
                since,
            });
        }
    }
}

fn solvers_of<'thread>(
    session: &Session,
    solvers: &'thread mut HashMap<i64, Solvers>,
) -> &'thread mut Solvers {
    let known = solvers.entry(session.id);
    known.or_insert_with(|| session.solvers())
}
