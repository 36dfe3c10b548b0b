//! The nodes that take part in a search.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::mem;
use std::process;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use diagnostic::Diagnostic;
use erlang_term::{Atom, Term, encode};
use flattener::flat::Module;
use rustc_hash::FxHashMap;
use trace_engine::explore::SearchBrief;
use trace_format::Program;
use trace_format::manifest::hash;

use super::fleet::Fleet;
use super::frame::{Batch, NodeReply, NodeRequest};
use super::member::{Event, Events, Member, MemberOptions};
use super::node_name::NodeName;
use super::refusal;
use crate::beam::BeamError;
use crate::beam::worker::Worker;
use crate::failure::Failure;
use crate::terminal::render;

/// How often a node may fail to run something before it is not used any more.
const MOST_FAILURES: usize = 3;

/// How often we look whether nodes owe answers for too long.
const LOOK: Duration = Duration::from_secs(1);

/// Which nodes a search uses.
#[derive(Clone, Debug, Default)]
pub(crate) struct PoolOptions {
    pub(crate) nodes: Vec<NodeName>,
    pub(crate) member: MemberOptions,
    /// Workers of nodes have one input after another.
    pub(crate) is_one_by_one: bool,
    /// Nodes replay and solve.
    pub(crate) replays: bool,
}

/// The nodes of a search, and who waits for their answers.
#[derive(Debug)]
pub(crate) struct Pool {
    member: Member,
    /// The nodes that were named.
    names: Vec<String>,
    /// Identifies the program.
    hash: String,
    /// The program, as it is sent to a node that does not have it.
    program: Term,
    /// What nodes must know of the search to replay and solve; empty if they should not.
    brief: Vec<u8>,
    start: Instant,
    next_id: AtomicI64,
    state: Mutex<PoolState>,
}

#[derive(Debug, Default)]
struct PoolState {
    fleet: Fleet,
    /// The node of each session.
    nodes: BTreeMap<i64, SessionNode>,
    /// Those who wait, by their numbers.
    listeners: Vec<Listener>,
    /// Which of them waits for which input.
    waiting: FxHashMap<i64, usize>,
    /// When we look next whether somebody owes something for too long.
    next_look: Duration,
    /// What was said about which node.
    told: BTreeSet<(String, String)>,
    failures: HashMap<String, usize>,
    /// How many runs each node has made in sessions that are over.
    made: BTreeMap<String, usize>,
}

/// The node of a session.
#[derive(Debug)]
struct SessionNode {
    name: String,
    has_program: bool,
    /// How many runs it has made.
    made: usize,
}

/// Somebody who waits for runs and answers.
#[derive(Debug)]
struct Listener {
    sender: Sender<Vec<AnsweredRun>>,
    /// What was not passed on yet: waking somebody up takes longer than what there is to say.
    heard: Vec<AnsweredRun>,
}

/// What became of an input that was sent to a node.
#[derive(Debug)]
pub(super) struct AnsweredRun {
    /// The number of the input.
    pub(super) id: i64,
    pub(super) told: Told,
}

/// What a node told about an input.
#[derive(Debug)]
pub(super) enum Told {
    Made(Made),
    /// Answers to questions, packed.
    Answers(Vec<u8>),
    /// It is lost with its node, or was given back.
    Lost,
}

/// A run that a node has made.
#[derive(Debug)]
pub(super) struct Made {
    /// The session of the node.
    pub(super) session: i64,
    /// The run, packed.
    pub(super) run: Vec<u8>,
}

impl Pool {
    /// Connects to nodes, for a search that has such workers. Does not wait for them.
    pub(crate) fn start(
        options: &PoolOptions,
        (followed, brief): (&Program, &SearchBrief),
        worker: &mut Worker,
        end: Instant,
    ) -> Result<(Self, PoolEvents), Failure> {
        let library = worker.call_until(Term::atom("library"), end, |_| ())?;
        let library = library.map_err(|why| BeamError::refused("the library", why))?;
        let name = own_name(&options.nodes)?;
        let (member, events) = Member::start(&name, false, &options.nodes, &options.member)?;
        let modules = followed.modules().iter();
        let modules: Vec<(&Module, &Atom)> = modules.map(|it| (&it.flat, &it.loaded_as)).collect();
        let modules = Term::binary(postcard::to_stdvec(&modules).unwrap_or_default());
        let program = Term::Tuple(vec![worker.to_term(), library, modules]);
        let pool = Self {
            member,
            names: options.nodes.iter().map(|it| it.name.clone()).collect(),
            hash: hash([encode(&program).as_slice()]),
            program,
            brief: match options.replays {
                true => postcard::to_stdvec(brief).unwrap_or_default(),
                false => Vec::new(),
            },
            start: Instant::now(),
            next_id: AtomicI64::new(0),
            state: Mutex::new(PoolState {
                fleet: match options.is_one_by_one {
                    true => Fleet::one_by_one(),
                    false => Fleet::default(),
                },
                ..PoolState::default()
            }),
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
        let mut state = self.lock();
        let lost: Vec<i64> = state.nodes.keys().copied().collect();
        lost.into_iter().for_each(|session| state.forget(session));
        state.wake();
    }

    /// Lets the sessions end, and with them listening.
    pub(crate) fn end(&self) {
        self.member.end();
    }

    /// The nodes that have not answered and about which nothing was said.
    pub(crate) fn silent(&self) -> Vec<String> {
        let made = self.made();
        let state = self.lock();
        let is_known =
            |name: &String| made.contains_key(name) || state.told.iter().any(|it| it.0 == *name);
        let names = self.names.iter().filter(|it| !is_known(it));
        names.cloned().collect()
    }

    /// How many runs each node has made.
    pub(crate) fn made(&self) -> BTreeMap<String, usize> {
        let state = self.lock();
        let mut made = state.made.clone();
        for node in state.nodes.values().filter(|it| it.has_program) {
            *made.entry(node.name.clone()).or_default() += node.made;
        }
        made
    }

    /// Somebody who will wait for runs: a number, and where they come.
    pub(super) fn listener(&self) -> (usize, Receiver<Vec<AnsweredRun>>) {
        let (sender, receiver) = channel();
        let mut state = self.lock();
        state.listeners.push(Listener {
            sender,
            heard: Vec::new(),
        });
        (state.listeners.len() - 1, receiver)
    }

    /// Whether a node can take another input.
    pub(super) fn has_room(&self) -> bool {
        self.lock().fleet.has_room()
    }

    /// Whether there are nodes that take inputs.
    pub(super) fn has_nodes(&self) -> bool {
        self.lock().fleet.has_nodes()
    }

    /// Chooses the session for an input whose run may take so long. Returns it with the number of the
    /// input, which no other one has. From then on its answer is waited for.
    pub(super) fn assign(&self, longest: Duration, listener: usize) -> Option<(i64, i64)> {
        let mut state = self.lock();
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let session = state.fleet.assign(id, self.start.elapsed(), longest)?;
        state.waiting.insert(id, listener);
        Some((session, id))
    }

    /// Takes note of a question about a run that a session has made. Returns whether its answer can be
    /// waited for.
    pub(super) fn ask(
        &self,
        (session, id): (i64, i64),
        longest: Duration,
        listener: usize,
    ) -> bool {
        let mut state = self.lock();
        let is_taken = state.fleet.ask(session, id, self.start.elapsed(), longest);
        if is_taken {
            state.waiting.insert(id, listener);
        }
        is_taken
    }

    /// Sends inputs and questions to the session that was chosen for them.
    pub(super) fn send(&self, session: i64, batch: Batch) {
        let request = NodeRequest::Run(batch);
        self.member.send(session, request.to_bytes());
    }

    /// How long whoever has something to say to nodes gathers it, and nodes do.
    pub(super) fn moment(&self) -> Duration {
        self.lock().fleet.moment()
    }

    /// Gives up sessions whose nodes do not answer.
    pub(super) fn look(&self) {
        let mut state = self.lock();
        let now = self.start.elapsed();
        if now < state.next_look {
            return;
        }
        state.next_look = now + LOOK;
        for session in state.fleet.overdue(now) {
            let node = state.nodes.get(&session).map(|it| it.name.clone());
            let node = node.unwrap_or_default();
            state.tell(&node, "gave-up", || {
                let title = format!("the node {node} is not used for now: it is silent");
                Diagnostic::warning("no-node", title)
                    .help("is that machine too busy, or out of memory?")
            });
            self.close(&mut state, session);
        }
        state.wake();
    }

    fn take(&self, event: Event) {
        match event {
            Event::Opened { session, node } => self.open(session, node),
            Event::Frame { session, bytes } => {
                // Decoding needs no lock.
                let replies = NodeReply::all(&bytes);
                let mut state = self.lock();
                for reply in replies {
                    self.hear(&mut state, session, reply);
                }
                state.wake();
            }
            Event::Closed { session } => {
                let mut state = self.lock();
                state.forget(session);
                state.wake();
            }
            Event::Refused { node, why, text } => {
                let message = || refusal::refused(&node, &why, &text);
                self.lock().tell(&node, &why, message);
            }
        }
    }

    fn open(&self, session: i64, node: String) {
        let mut state = self.lock();
        if state.failures.get(&node).copied().unwrap_or(0) >= MOST_FAILURES {
            // It stays open, and unused: so the node is not asked again and again.
            return;
        }
        let node = SessionNode {
            name: node,
            has_program: false,
            made: 0,
        };
        state.nodes.insert(session, node);
        drop(state);
        let begin = NodeRequest::Begin(self.hash.clone(), self.brief.clone());
        self.member.send(session, begin.to_bytes());
    }

    fn hear(&self, state: &mut PoolState, session: i64, reply: NodeReply) {
        let now = self.start.elapsed();
        let Some(node) = state.nodes.get_mut(&session) else {
            return;
        };
        match reply {
            NodeReply::Wanted => {
                let program = NodeRequest::Program(self.hash.clone(), self.program.clone());
                return self.member.send(session, program.to_bytes());
            }
            NodeReply::Ready(workers) => {
                node.has_program = true;
                state.fleet.begin(session, workers);
            }
            NodeReply::Ran(id, times, run) => {
                if state.fleet.answered(session, id, now, times) {
                    node.made += 1;
                    state.pass_on(id, Told::Made(Made { session, run }));
                }
            }
            NodeReply::Answered(id, times, answers) => {
                if state.fleet.answered(session, id, now, times) {
                    state.pass_on(id, Told::Answers(answers));
                }
            }
            NodeReply::Failed(why) => {
                let node = node.name.clone();
                state.tell(&node, "failed", || {
                    let title = format!("the node {node} cannot run the program: {why}");
                    Diagnostic::warning("no-node", title).help("look at that machine")
                });
                *state.failures.entry(node).or_default() += 1;
                self.close(state, session);
            }
            NodeReply::Returned(id) => {
                if state.fleet.returned(session, id) {
                    state.pass_on(id, Told::Lost);
                }
            }
            NodeReply::Leaving => state.fleet.leave(session),
        }
        if state.fleet.has_left(session) {
            self.close(state, session);
        }
    }

    fn close(&self, state: &mut PoolState, session: i64) {
        self.member.close(session);
        state.forget(session);
    }

    fn lock(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PoolState {
    fn pass_on(&mut self, id: i64, told: Told) {
        let listener = self.waiting.remove(&id);
        if let Some(listener) = listener.and_then(|it| self.listeners.get_mut(it)) {
            listener.heard.push(AnsweredRun { id, told });
        }
    }

    /// Tells listeners what there is to say.
    fn wake(&mut self) {
        for listener in &mut self.listeners {
            if !listener.heard.is_empty() {
                // The search may have stopped waiting.
                let _ = listener.sender.send(mem::take(&mut listener.heard));
            }
        }
    }

    fn forget(&mut self, session: i64) {
        if let Some(node) = self.nodes.remove(&session).filter(|it| it.has_program) {
            *self.made.entry(node.name).or_default() += node.made;
        }
        for id in self.fleet.lose(session) {
            self.pass_on(id, Told::Lost);
        }
    }

    /// Shows a message about a node, once.
    fn tell(&mut self, node: &str, why: &str, message: impl Fn() -> Diagnostic) {
        if self.told.insert((node.to_owned(), why.to_owned())) {
            render::show(&[message()]);
        }
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
