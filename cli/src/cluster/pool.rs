//! The nodes that take part in a search.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::process;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use diagnostic::Diagnostic;
use erlang_term::{Term, encode};
use trace_format::manifest::hash;

use super::frame::{Order, Reply, Request};
use super::member::{Event, Events, Member, MemberOptions};
use super::node_name::NodeName;
use super::refusal;
use super::session::{Answer, Session};
use crate::beam::BeamError;
use crate::beam::worker::Worker;
use crate::failure::Failure;
use crate::terminal::render;

/// How many inputs are under way for each worker of a node: while one runs, another is there, and
/// one is on its way or looked at here.
const AHEAD: usize = 3;

/// How often a node may fail to run something before it is not used any more.
const MOST_FAILURES: usize = 3;

/// How often somebody who waits looks whether the search should end.
const PAUSE: Duration = Duration::from_millis(100);

/// Which nodes a search uses.
#[derive(Clone, Debug, Default)]
pub(crate) struct PoolOptions {
    pub(crate) nodes: Vec<NodeName>,
    pub(crate) member: MemberOptions,
}

/// The nodes of a search, and who may send to them.
#[derive(Debug)]
pub(crate) struct Pool {
    member: Member,
    /// Identifies the program.
    hash: String,
    /// The program, as it is sent to a node that does not have it.
    program: Term,
    next_id: AtomicI64,
    state: Mutex<State>,
    /// A node has come, or the search is over.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    sessions: BTreeMap<i64, Arc<Session>>,
    /// A session for each thread of the search that may use it and does not run yet.
    wanted: VecDeque<Arc<Session>>,
    is_over: bool,
    /// What was said about which node.
    told: BTreeSet<(String, String)>,
    failures: HashMap<String, usize>,
    /// How many runs each node has made in sessions that are over.
    made: BTreeMap<String, usize>,
}

impl Pool {
    /// Connects to nodes, for a search that has such workers. Does not wait for them.
    pub(crate) fn start(
        options: &PoolOptions,
        worker: &mut Worker,
        end: Instant,
    ) -> Result<(Self, PoolEvents), Failure> {
        let library = worker.call_until(Term::atom("library"), end, |_| ())?;
        let library = library.map_err(|why| BeamError::refused("the library", why))?;
        let name = own_name(&options.nodes)?;
        let (member, events) = Member::start(&name, false, &options.nodes, &options.member)?;
        let program = Term::Tuple(vec![worker.to_term(), library]);
        let pool = Self {
            member,
            hash: hash([encode(&program).as_slice()]),
            program,
            next_id: AtomicI64::new(0),
            state: Mutex::default(),
            changed: Condvar::new(),
        };
        for node in &options.nodes {
            pool.member.connect(node);
        }
        Ok((pool, PoolEvents(events)))
    }

    /// Listens to the nodes until the search is over.
    pub(crate) fn listen(&self, events: PoolEvents) {
        for event in events.0 {
            self.take(event);
        }
        // Without its BEAM there are no nodes.
        let lost: Vec<i64> = self.lock().sessions.keys().copied().collect();
        lost.into_iter().for_each(|session| self.forget(session));
    }

    /// Nodes are not needed any more.
    pub(crate) fn search_is_over(&self) {
        self.lock().is_over = true;
        self.changed.notify_all();
    }

    /// Lets the sessions end, and with them listening.
    pub(crate) fn end(&self) {
        self.search_is_over();
        self.member.end();
    }

    /// How many runs each node has made.
    pub(crate) fn made(&self) -> BTreeMap<String, usize> {
        let state = self.lock();
        let mut made = state.made.clone();
        for session in state.sessions.values() {
            let count = session.made.load(Ordering::Relaxed);
            *made.entry(session.node.clone()).or_default() += count;
        }
        made
    }

    /// A session that another thread of the search may use; waits for it. `None` when the search is
    /// over.
    pub(super) fn wait_for_session(&self, should_stop: &dyn Fn() -> bool) -> Option<Arc<Session>> {
        let mut state = self.lock();
        loop {
            if state.is_over || should_stop() {
                return None;
            }
            match state.wanted.pop_front() {
                Some(session) if session.takes_more() => return Some(session),
                Some(_) => {}
                None => {
                    let waited = self.changed.wait_timeout(state, PAUSE);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// The session with the least to do, if there is one.
    pub(super) fn least_busy(&self) -> Option<Arc<Session>> {
        let state = self.lock();
        let sessions = state.sessions.values().filter(|it| it.takes_more());
        let least = sessions.min_by_key(|it| it.waiting() * 1_000 / it.workers().max(1));
        least.map(Arc::clone)
    }

    /// The number of an input, which no other one has.
    pub(super) fn new_id(&self) -> i64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn send(&self, session: &Session, order: Order) {
        let request = Request::Run(Box::new(order));
        self.member.send(session.number, request.to_bytes());
    }

    /// Gives a session up whose node does not answer.
    pub(super) fn give_up(&self, session: &Session, why: &str) {
        self.tell(&session.node, "gave-up", || {
            let title = format!("the node {} is not used for now: {why}", session.node);
            Diagnostic::warning("no-node", title)
                .help("is that machine too busy, or out of memory?")
        });
        self.member.close(session.number);
        self.forget(session.number);
    }

    fn take(&self, event: Event) {
        match event {
            Event::Opened { session, node } => self.open(session, node),
            Event::Frame { session, bytes } => {
                let known = self.lock().sessions.get(&session).map(Arc::clone);
                if let (Some(session), Some(reply)) = (known, Reply::from_bytes(&bytes)) {
                    self.hear(&session, reply);
                }
            }
            Event::Closed { session } => self.forget(session),
            Event::Refused { node, why, text } => {
                self.tell(&node, &why, || refusal::refused(&node, &why, &text));
            }
        }
    }

    fn open(&self, number: i64, node: String) {
        let mut state = self.lock();
        if state.failures.get(&node).copied().unwrap_or(0) >= MOST_FAILURES {
            drop(state);
            // It stays open, and unused: so the node is not asked again and again.
            return;
        }
        let session = Arc::new(Session::new(number, node));
        state.sessions.insert(number, session);
        drop(state);
        let begin = Request::Begin(self.hash.clone());
        self.member.send(number, begin.to_bytes());
    }

    fn hear(&self, session: &Arc<Session>, reply: Reply) {
        let has_left = match reply {
            Reply::Wanted => {
                let program = Request::Program(self.hash.clone(), self.program.clone());
                self.member.send(session.number, program.to_bytes());
                false
            }
            Reply::Ready(workers) => {
                session.begin(workers);
                let threads = std::iter::repeat_n(Arc::clone(session), workers * AHEAD);
                self.lock().wanted.extend(threads);
                self.changed.notify_all();
                false
            }
            Reply::Ran(id, run, agreed) => session.answered(id, Some(Answer::Ran(run, agreed))),
            Reply::Failed(id, why) => {
                self.tell(&session.node, "failed", || {
                    let title = format!("the node {} cannot run the program: {why}", session.node);
                    Diagnostic::warning("no-node", title).help("look at that machine")
                });
                *self
                    .lock()
                    .failures
                    .entry(session.node.clone())
                    .or_default() += 1;
                session.answered(id, Some(Answer::Failed(why)))
            }
            Reply::Returned(id) => session.answered(id, None),
            Reply::Leaving => session.leave(),
        };
        if has_left {
            self.member.close(session.number);
            self.forget(session.number);
        }
    }

    fn forget(&self, number: i64) {
        let mut state = self.lock();
        if let Some(session) = state.sessions.remove(&number) {
            session.lose();
            let made = session.made.load(Ordering::Relaxed);
            *state.made.entry(session.node.clone()).or_default() += made;
        }
    }

    /// Shows a message about a node, once.
    fn tell(&self, node: &str, why: &str, message: impl Fn() -> Diagnostic) {
        let is_new = self.lock().told.insert((node.to_owned(), why.to_owned()));
        if is_new {
            render::show(&[message()]);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the nodes of a search tell.
#[derive(Debug)]
pub(crate) struct PoolEvents(Events);

/// A name for this search that no other one has. All nodes have long names, or all have short ones.
fn own_name(nodes: &[NodeName]) -> Result<NodeName, Failure> {
    let is_long = nodes.first().is_some_and(NodeName::is_long);
    if let Some(other) = nodes.iter().find(|it| it.is_long() != is_long) {
        let title = format!("{other} cannot be in a cluster with the nodes before it");
        return Err(Diagnostic::error("bad-node", title)
            .help("name the hosts of all nodes with their domains, or all without")
            .into());
    }
    let host = if is_long { "127.0.0.1" } else { "localhost" };
    let now = format!("{:?} {:?}", Instant::now(), std::time::SystemTime::now());
    let unique = hash([now.as_bytes()]);
    let unique = unique.get(..16).unwrap_or_default();
    Ok(NodeName {
        name: format!("erlconcolic-{}-{unique}@{host}", process::id()),
        port: None,
    })
}
