//! What searches and nodes tell one another.

use std::time::Duration;

use erlang_term::{Atom, Term, decode, encode, from_wire, to_wire};
use serde::Serialize;
use trace_engine::explore::{Answers, AskedWay, ReplayOrder, ReplayedElsewhere};
use trace_format::Schedule;

use super::fleet::Times;
use crate::beam::worker::{Limits, Run};
use crate::search::run_terms::{from_term, text, to_term};

/// From a search to a node.
#[derive(Debug)]
pub(super) enum NodeRequest {
    /// The program of the search, by its hash, and what an assistant must know of the search.
    Begin(String, Vec<u8>),
    /// The program, because the node does not have it: its hash, and what workers need.
    Program(String, Term),
    /// Inputs to run, and the atoms that matter, in their order; and questions about runs.
    Run(Vec<Atom>, Vec<Order>, Vec<NodeQuestion>),
}

/// An input, and what its run depends on.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) id: i64,
    pub(super) module: Atom,
    pub(super) function: Atom,
    pub(super) arguments: Term,
    pub(super) schedule: Schedule,
    pub(super) limits: Limits,
    /// How it is replayed, if that is wanted.
    pub(super) replay: Option<ReplayOrder>,
}

/// The ways of a run about which a search asks. Without ways, it will not ask about that run.
#[derive(Clone, Debug)]
pub(super) struct NodeQuestion {
    /// The number of the input.
    pub(super) id: i64,
    pub(super) ways: Vec<AskedWay>,
}

/// From a node to a search.
#[derive(Debug)]
pub(super) enum NodeReply {
    /// The node does not have the program.
    Wanted,
    /// The node has the program, and so many workers.
    Ready(usize),
    /// A run.
    Ran(i64, Box<NodeRun>),
    /// Answers to questions about a run, and how long that took.
    Answered(i64, Box<Answers>, Times),
    /// The node cannot run the program.
    Failed(String),
    /// The node leaves, and will not make this run.
    Returned(i64),
    /// The node makes no more runs than it has begun with.
    Leaving,
}

/// A run that a node has made.
#[derive(Debug)]
pub(super) struct NodeRun {
    pub(super) run: Run,
    /// How many of the atoms that matter were in order in it.
    pub(super) agreed: usize,
    pub(super) times: Times,
    /// Its replay, if it was replayed there.
    pub(super) replayed: Option<Box<ReplayedElsewhere>>,
}

impl NodeRequest {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        encode(&match self {
            Self::Begin(hash, brief) => {
                tagged("begin", [of_text(hash), Term::binary(brief.clone())])
            }
            Self::Program(hash, code) => tagged("program", [of_text(hash), code.clone()]),
            Self::Run(atoms, orders, questions) => {
                let atoms = atoms.iter().cloned().map(Term::Atom);
                let orders = orders.iter().map(Order::to_term);
                let questions = questions.iter().map(NodeQuestion::to_term);
                let [orders, questions] = [Term::list(orders), Term::list(questions)];
                tagged("run", [Term::list(atoms), orders, questions])
            }
        })
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let term = decode(bytes).ok()?;
        match tag(&term)? {
            ("begin", [hash, brief]) => Some(Self::Begin(text(hash)?, brief.as_binary()?.to_vec())),
            ("program", [hash, code]) => Some(Self::Program(text(hash)?, code.clone())),
            ("run", [atoms, orders, questions]) => {
                let atoms = atoms.as_list()?.iter().map(atom);
                let orders = orders.as_list()?.iter().map(Order::from_term);
                let questions = questions.as_list()?.iter().map(NodeQuestion::from_term);
                Some(Self::Run(
                    atoms.collect::<Option<_>>()?,
                    orders.collect::<Option<_>>()?,
                    questions.collect::<Option<_>>()?,
                ))
            }
            _ => None,
        }
    }
}

impl Order {
    fn to_term(&self) -> Term {
        Term::Tuple(vec![
            Term::Integer(self.id.into()),
            Term::Atom(self.module.clone()),
            Term::Atom(self.function.clone()),
            to_wire(&self.arguments),
            of_text(&self.schedule.to_string()),
            integer(self.limits.milliseconds),
            integer(self.limits.heap_words),
            Term::list(self.limits.allowed.clone()),
            self.replay
                .as_ref()
                .map_or_else(|| Term::atom("none"), packed),
        ])
    }

    fn from_term(term: &Term) -> Option<Self> {
        let [
            id,
            module,
            function,
            arguments,
            schedule,
            milliseconds,
            heap,
            allowed,
            replay,
        ] = term.as_tuple()?
        else {
            return None;
        };
        let schedule = text(schedule)?;
        Some(Self {
            id: id.as_i64()?,
            module: atom(module)?,
            function: atom(function)?,
            arguments: from_wire(arguments)?,
            schedule: match schedule.as_str() {
                "" => Schedule::default(),
                text => text.parse().ok()?,
            },
            limits: Limits {
                milliseconds: number(milliseconds)?,
                heap_words: number(heap)?,
                allowed: allowed.as_list()?.to_vec(),
            },
            replay: match replay.as_binary() {
                Some(bytes) => Some(postcard::from_bytes(bytes).ok()?),
                None => None,
            },
        })
    }
}

impl NodeQuestion {
    fn to_term(&self) -> Term {
        Term::Tuple(vec![Term::Integer(self.id.into()), packed(&self.ways)])
    }

    fn from_term(term: &Term) -> Option<Self> {
        let [id, ways] = term.as_tuple()? else {
            return None;
        };
        Some(Self {
            id: id.as_i64()?,
            ways: postcard::from_bytes(ways.as_binary()?).ok()?,
        })
    }
}

impl NodeRun {
    fn to_terms(&self) -> [Term; 5] {
        let [waited, ran] = [self.times.waited, self.times.ran].map(microseconds);
        let agreed = integer(self.agreed as u64);
        let replayed = self.replayed.as_ref().map(|it| {
            let took = microseconds(it.took);
            Term::Tuple(vec![took, packed(&it.summary)])
        });
        let replayed = replayed.unwrap_or_else(|| Term::atom("none"));
        [to_term(&self.run), agreed, waited, ran, replayed]
    }

    fn from_terms([run, agreed, waited, ran, replayed]: [&Term; 5]) -> Option<Self> {
        let replayed = match replayed.as_tuple() {
            Some([took, summary]) => Some(Box::new(ReplayedElsewhere {
                took: Duration::from_micros(number(took)?),
                summary: postcard::from_bytes(summary.as_binary()?).ok()?,
            })),
            _ => None,
        };
        Some(Self {
            run: from_term(run)?,
            agreed: count(agreed)?,
            times: times(waited, ran)?,
            replayed,
        })
    }
}

impl NodeReply {
    /// What travels to a search as one frame.
    pub(super) fn frame(replies: &[Self]) -> Vec<u8> {
        encode(&Term::list(replies.iter().map(Self::to_term)))
    }

    /// The replies in a frame that make sense.
    pub(super) fn all(frame: &[u8]) -> Vec<Self> {
        let frame = decode(frame).ok();
        let replies = frame.as_ref().and_then(Term::as_list).unwrap_or_default();
        replies.iter().filter_map(Self::from_term).collect()
    }

    fn to_term(&self) -> Term {
        let id = |id: &i64| Term::Integer((*id).into());
        match self {
            Self::Wanted => tagged("wanted", []),
            Self::Ready(workers) => tagged("ready", [integer(*workers as u64)]),
            Self::Ran(of, run) => {
                let [run, agreed, waited, ran, replayed] = run.to_terms();
                tagged("ran", [id(of), run, agreed, waited, ran, replayed])
            }
            Self::Answered(of, answers, times) => {
                let [waited, ran] = [times.waited, times.ran].map(microseconds);
                tagged("answered", [id(of), packed(answers), waited, ran])
            }
            Self::Failed(why) => tagged("failed", [of_text(why)]),
            Self::Returned(of) => tagged("returned", [id(of)]),
            Self::Leaving => tagged("leaving", []),
        }
    }

    fn from_term(term: &Term) -> Option<Self> {
        match tag(term)? {
            ("wanted", []) => Some(Self::Wanted),
            ("ready", [workers]) => Some(Self::Ready(count(workers)?)),
            ("ran", [id, run, agreed, waited, ran, replayed]) => {
                let run = NodeRun::from_terms([run, agreed, waited, ran, replayed])?;
                Some(Self::Ran(id.as_i64()?, Box::new(run)))
            }
            ("answered", [id, answers, waited, ran]) => {
                let answers = postcard::from_bytes(answers.as_binary()?).ok()?;
                let times = times(waited, ran)?;
                Some(Self::Answered(id.as_i64()?, Box::new(answers), times))
            }
            ("failed", [why]) => Some(Self::Failed(text(why)?)),
            ("returned", [id]) => Some(Self::Returned(id.as_i64()?)),
            ("leaving", []) => Some(Self::Leaving),
            _ => None,
        }
    }
}

fn tagged<const N: usize>(tag: &str, parts: [Term; N]) -> Term {
    let tag = std::iter::once(Term::atom(tag));
    Term::Tuple(tag.chain(parts).collect())
}

fn tag(term: &Term) -> Option<(&str, &[Term])> {
    let (tag, parts) = term.as_tuple()?.split_first()?;
    Some((tag.as_atom()?, parts))
}

fn atom(term: &Term) -> Option<Atom> {
    term.as_atom().map(Atom::new)
}

fn number(term: &Term) -> Option<u64> {
    u64::try_from(term.as_i64()?).ok()
}

fn count(term: &Term) -> Option<usize> {
    usize::try_from(term.as_i64()?).ok()
}

fn times(waited: &Term, ran: &Term) -> Option<Times> {
    Some(Times {
        waited: Duration::from_micros(number(waited)?),
        ran: Duration::from_micros(number(ran)?),
    })
}

/// What the engines of search and node say to each other.
fn packed(value: &impl Serialize) -> Term {
    Term::binary(postcard::to_stdvec(value).unwrap_or_default())
}

fn microseconds(time: Duration) -> Term {
    integer(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
}

fn of_text(text: &str) -> Term {
    Term::binary(text.as_bytes())
}

fn integer(value: u64) -> Term {
    Term::Integer(i64::try_from(value).unwrap_or(i64::MAX).into())
}
