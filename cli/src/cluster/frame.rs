//! What searches and nodes tell one another.

use erlang_term::{Atom, Term, decode, encode, from_wire, to_wire};
use trace_format::Schedule;

use crate::beam::worker::{Limits, Run};
use crate::search::run_terms::{from_term, text, to_term};

/// From a search to a node.
#[derive(Debug)]
pub(super) enum Request {
    /// The program of the search, by its hash.
    Begin(String),
    /// The program, because the node does not have it: its hash, and what workers need.
    Program(String, Term),
    /// An input to run.
    Run(Box<Order>),
}

/// An input, and all that its run depends on.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) id: i64,
    pub(super) module: Atom,
    pub(super) function: Atom,
    pub(super) arguments: Term,
    pub(super) schedule: Schedule,
    pub(super) limits: Limits,
    /// The atoms that matter, in their order.
    pub(super) atoms: Vec<Atom>,
}

/// From a node to a search.
#[derive(Debug)]
pub(super) enum Reply {
    /// The node does not have the program.
    Wanted,
    /// The node has the program, and so many workers.
    Ready(usize),
    /// A run, and how many of the atoms that matter were in order in it.
    Ran(i64, Box<Run>, usize),
    /// A run could not be made.
    Failed(i64, String),
    /// The node leaves, and will not make this run.
    Returned(i64),
    /// The node makes no more runs than it has begun with.
    Leaving,
}

impl Request {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        encode(&match self {
            Self::Begin(hash) => tagged("begin", [of_text(hash)]),
            Self::Program(hash, code) => tagged("program", [of_text(hash), code.clone()]),
            Self::Run(order) => tagged("run", order.to_terms()),
        })
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let term = decode(bytes).ok()?;
        match tag(&term)? {
            ("begin", [hash]) => Some(Self::Begin(text(hash)?)),
            ("program", [hash, code]) => Some(Self::Program(text(hash)?, code.clone())),
            ("run", parts) => Some(Self::Run(Box::new(Order::from_terms(parts)?))),
            _ => None,
        }
    }
}

impl Order {
    fn to_terms(&self) -> [Term; 9] {
        [
            Term::Integer(self.id.into()),
            Term::Atom(self.module.clone()),
            Term::Atom(self.function.clone()),
            to_wire(&self.arguments),
            of_text(&self.schedule.to_string()),
            integer(self.limits.milliseconds),
            integer(self.limits.heap_words),
            Term::list(self.limits.allowed.clone()),
            Term::list(self.atoms.iter().cloned().map(Term::Atom)),
        ]
    }

    fn from_terms(parts: &[Term]) -> Option<Self> {
        let [
            id,
            module,
            function,
            arguments,
            schedule,
            milliseconds,
            heap,
            allowed,
            atoms,
        ] = parts
        else {
            return None;
        };
        let number = |term: &Term| u64::try_from(term.as_i64()?).ok();
        let atom = |term: &Term| term.as_atom().map(Atom::new);
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
            atoms: atoms.as_list()?.iter().map(atom).collect::<Option<_>>()?,
        })
    }
}

impl Reply {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let id = |id: &i64| Term::Integer((*id).into());
        encode(&match self {
            Self::Wanted => tagged("wanted", []),
            Self::Ready(workers) => tagged("ready", [integer(*workers as u64)]),
            Self::Ran(of, run, agreed) => {
                tagged("ran", [id(of), to_term(run), integer(*agreed as u64)])
            }
            Self::Failed(of, why) => tagged("failed", [id(of), of_text(why)]),
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
            ("ran", [id, run, agreed]) => {
                let run = Box::new(from_term(run)?);
                Some(Self::Ran(id.as_i64()?, run, count(agreed)?))
            }
            ("failed", [id, why]) => Some(Self::Failed(id.as_i64()?, text(why)?)),
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

fn of_text(text: &str) -> Term {
    Term::binary(text.as_bytes())
}

fn integer(value: u64) -> Term {
    Term::Integer(i64::try_from(value).unwrap_or(i64::MAX).into())
}
