//! What searches and nodes tell one another.

use std::time::Duration;

use erlang_term::{Atom, Term, decode, encode, from_wire, to_wire};
use trace_format::Schedule;

use super::fleet::Times;
use crate::beam::worker::{Limits, Run};
use crate::search::run_terms::{from_term, text, to_term};

/// From a search to a node.
#[derive(Debug)]
pub(super) enum NodeRequest {
    /// The program of the search, by its hash.
    Begin(String),
    /// The program, because the node does not have it: its hash, and what workers need.
    Program(String, Term),
    /// Inputs to run, and the atoms that matter, in their order.
    Run(Vec<Atom>, Vec<Order>),
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
}

/// From a node to a search.
#[derive(Debug)]
pub(super) enum NodeReply {
    /// The node does not have the program.
    Wanted,
    /// The node has the program, and so many workers.
    Ready(usize),
    /// A run, how many of the atoms that matter were in order in it, and how long it took.
    Ran(i64, Box<Run>, usize, Times),
    /// The node cannot run the program.
    Failed(String),
    /// The node leaves, and will not make this run.
    Returned(i64),
    /// The node makes no more runs than it has begun with.
    Leaving,
}

impl NodeRequest {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        encode(&match self {
            Self::Begin(hash) => tagged("begin", [of_text(hash)]),
            Self::Program(hash, code) => tagged("program", [of_text(hash), code.clone()]),
            Self::Run(atoms, orders) => {
                let atoms = atoms.iter().cloned().map(Term::Atom);
                let orders = orders.iter().map(Order::to_term);
                tagged("run", [Term::list(atoms), Term::list(orders)])
            }
        })
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let term = decode(bytes).ok()?;
        match tag(&term)? {
            ("begin", [hash]) => Some(Self::Begin(text(hash)?)),
            ("program", [hash, code]) => Some(Self::Program(text(hash)?, code.clone())),
            ("run", [atoms, orders]) => {
                let atoms = atoms.as_list()?.iter().map(atom);
                let orders = orders.as_list()?.iter().map(Order::from_term);
                Some(Self::Run(
                    atoms.collect::<Option<_>>()?,
                    orders.collect::<Option<_>>()?,
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
        })
    }
}

impl NodeReply {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let id = |id: &i64| Term::Integer((*id).into());
        encode(&match self {
            Self::Wanted => tagged("wanted", []),
            Self::Ready(workers) => tagged("ready", [integer(*workers as u64)]),
            Self::Ran(of, run, agreed, times) => {
                let [waited, ran] = [times.waited, times.ran].map(microseconds);
                let agreed = integer(*agreed as u64);
                tagged("ran", [id(of), to_term(run), agreed, waited, ran])
            }
            Self::Failed(why) => tagged("failed", [of_text(why)]),
            Self::Returned(of) => tagged("returned", [id(of)]),
            Self::Leaving => tagged("leaving", []),
        })
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let term = decode(bytes).ok()?;
        let count = |term: &Term| usize::try_from(term.as_i64()?).ok();
        match tag(&term)? {
            ("wanted", []) => Some(Self::Wanted),
            ("ready", [workers]) => Some(Self::Ready(count(workers)?)),
            ("ran", [id, run, agreed, waited, ran]) => {
                let run = Box::new(from_term(run)?);
                let times = Times {
                    waited: Duration::from_micros(number(waited)?),
                    ran: Duration::from_micros(number(ran)?),
                };
                Some(Self::Ran(id.as_i64()?, run, count(agreed)?, times))
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

fn microseconds(time: Duration) -> Term {
    integer(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
}

fn of_text(text: &str) -> Term {
    Term::binary(text.as_bytes())
}

fn integer(value: u64) -> Term {
    Term::Integer(i64::try_from(value).unwrap_or(i64::MAX).into())
}
