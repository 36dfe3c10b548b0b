//! One entry of the table: what is known of a function that is built into the BEAM.

use solver::graph::{Condition, Graph, NodeId};

use crate::walk::{Stop, Walk, Walked};

/// What is known of a function.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Its module.
    pub module: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many arguments it takes.
    pub arity: u32,
    /// Whether it raises.
    pub raises: Raises,
    /// What it does.
    pub meaning: Meaning,
}

/// Whether a function raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raises {
    /// It returns whatever its arguments are.
    Never,
    /// That depends on its arguments.
    Sometimes,
    /// It never returns.
    Always,
}

/// What a function does.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// Its result depends on its arguments alone, and one condition says when it returns. If the
    /// rule cannot tell for some arguments, a walk may.
    Rule(Rule, Option<Walker>),
    /// Its result depends on its arguments alone, and it walks through them.
    Walk(Walker),
    /// The rule is used in guards; elsewhere the result is taken from the log.
    GuardRule(Rule),
    /// It raises this.
    Raise(Exception),
    /// It reads or changes the state of its process, and the replay of that process knows how.
    Process(ProcessCall),
}

/// When a call returns, and what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied {
    /// It returns if this holds, and raises otherwise.
    pub returns: Condition,
    /// What it returns.
    pub value: NodeId,
}

impl Applied {
    /// It always returns this.
    pub(crate) fn total(value: NodeId) -> Option<Self> {
        Some(Self {
            returns: Condition::TRUE,
            value,
        })
    }

    /// It always returns whether this holds.
    pub(crate) fn truth(graph: &mut Graph, condition: Condition) -> Option<Self> {
        Self::total(graph.truth(condition))
    }

    /// It always raises.
    pub fn never() -> Self {
        Self {
            returns: Condition::FALSE,
            value: NodeId::NIL,
        }
    }
}

/// A function of one to three arguments that computes a result; `None` if it cannot tell.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Of one argument.
    One(fn(&mut Graph, NodeId) -> Option<Applied>),
    /// Of two.
    Two(fn(&mut Graph, NodeId, NodeId) -> Option<Applied>),
    /// Of three.
    Three(fn(&mut Graph, NodeId, NodeId, NodeId) -> Option<Applied>),
}

impl Rule {
    const fn arity(self) -> u32 {
        match self {
            Self::One(_) => 1,
            Self::Two(_) => 2,
            Self::Three(_) => 3,
        }
    }

    /// The result for these arguments.
    #[inline]
    pub fn apply(self, graph: &mut Graph, arguments: &[NodeId]) -> Option<Applied> {
        match (self, arguments) {
            (Self::One(rule), &[one]) => rule(graph, one),
            (Self::Two(rule), &[one, two]) => rule(graph, one, two),
            (Self::Three(rule), &[one, two, three]) => rule(graph, one, two, three),
            (Self::One(_) | Self::Two(_) | Self::Three(_), _) => None,
        }
    }
}

/// A function of one to three arguments that walks through them.
#[derive(Clone, Copy, Debug)]
pub enum Walker {
    /// Of one argument.
    One(fn(&mut Walk<'_>, NodeId) -> Walked),
    /// Of two.
    Two(fn(&mut Walk<'_>, NodeId, NodeId) -> Walked),
    /// Of three.
    Three(fn(&mut Walk<'_>, NodeId, NodeId, NodeId) -> Walked),
}

impl Walker {
    const fn arity(self) -> u32 {
        match self {
            Self::One(_) => 1,
            Self::Two(_) => 2,
            Self::Three(_) => 3,
        }
    }

    /// The result of the walk for these arguments.
    ///
    /// # Errors
    /// When the function does not return.
    pub fn walk(self, walk: &mut Walk<'_>, arguments: &[NodeId]) -> Walked {
        match (self, arguments) {
            (Self::One(walker), &[one]) => walker(walk, one),
            (Self::Two(walker), &[one, two]) => walker(walk, one, two),
            (Self::Three(walker), &[one, two, three]) => walker(walk, one, two, three),
            (Self::One(_) | Self::Two(_) | Self::Three(_), _) => Err(Stop::Unknown),
        }
    }
}

/// The exception of a function that always raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// It has this class, and the first argument is the reason.
    OfClass(&'static str),
    /// It is an error, and the first argument says which match failed, as the compiler writes it.
    MatchFailure,
    /// The first two arguments are class and reason.
    Given,
    /// The first argument is the stack trace of the exception that is raised again, the second
    /// one its reason.
    Again,
    /// Nothing is known about it.
    Unknown,
}

/// A function that reads or changes the state of its process, calls what it is given, or depends on
/// what was made of a value before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessCall {
    /// `get(Key)`.
    Get,
    /// `get()`.
    GetAll,
    /// `get_keys()`.
    GetKeys,
    /// `put(Key, Value)`.
    Put,
    /// `erase(Key)`.
    Erase,
    /// `erase()`.
    EraseAll,
    /// `self()`.
    OwnPid,
    /// `Pid ! Message`.
    Send,
    /// `apply(Fun, Arguments)` and `apply(Module, Name, Arguments)`.
    Apply,
    /// `fun Module:Name/Arity`.
    MakeFun,
    /// `erlang:raise(Class, Reason, Trace)`, which returns if there is no such class.
    Raise,
    /// `term_to_binary(Term)`.
    Encode,
    /// `binary_to_term(Binary)`.
    Decode,
}

impl Model {
    /// A function that one rule describes.
    pub(crate) const fn rule(module: &'static str, name: &'static str, rule: Rule) -> Self {
        Self {
            module,
            name,
            arity: rule.arity(),
            raises: Raises::Sometimes,
            meaning: Meaning::Rule(rule, None),
        }
    }

    /// A function that walks through its arguments.
    pub(crate) const fn walk(module: &'static str, name: &'static str, walker: Walker) -> Self {
        Self {
            module,
            name,
            arity: walker.arity(),
            raises: Raises::Sometimes,
            meaning: Meaning::Walk(walker),
        }
    }

    /// A function that always raises.
    pub(crate) const fn raise(
        module: &'static str,
        name: &'static str,
        arity: u32,
        exception: Exception,
    ) -> Self {
        Self {
            module,
            name,
            arity,
            raises: Raises::Always,
            meaning: Meaning::Raise(exception),
        }
    }

    /// A function of `erlang` that needs the state of its process.
    pub(crate) const fn process(name: &'static str, arity: u32, call: ProcessCall) -> Self {
        Self {
            module: "erlang",
            name,
            arity,
            raises: Raises::Sometimes,
            meaning: Meaning::Process(call),
        }
    }

    /// The same, and it walks through arguments for which the rule cannot tell.
    pub(crate) const fn or_walk(self, walker: Walker) -> Self {
        match self.meaning {
            Meaning::Rule(rule, _) => Self {
                meaning: Meaning::Rule(rule, Some(walker)),
                ..self
            },
            Meaning::Walk(_) | Meaning::GuardRule(_) | Meaning::Raise(_) | Meaning::Process(_) => {
                self
            }
        }
    }

    /// The same, and it never raises.
    pub(crate) const fn never_raises(self) -> Self {
        Self {
            raises: Raises::Never,
            ..self
        }
    }

    /// The same, but only for guards.
    pub(crate) const fn in_guards(self) -> Self {
        match self.meaning {
            Meaning::Rule(rule, _) => Self {
                meaning: Meaning::GuardRule(rule),
                ..self
            },
            Meaning::Walk(_) | Meaning::GuardRule(_) | Meaning::Raise(_) | Meaning::Process(_) => {
                self
            }
        }
    }

    /// Whether the result is computed from the arguments, and is not in the log.
    pub fn is_computed(&self) -> bool {
        match self.meaning {
            Meaning::Rule(..) | Meaning::Walk(_) => true,
            Meaning::GuardRule(_) | Meaning::Raise(_) | Meaning::Process(_) => false,
        }
    }

    /// What it does with these arguments in a guard; `None` if that is not known.
    #[inline]
    pub fn apply_in_guard(&self, graph: &mut Graph, arguments: &[NodeId]) -> Option<Applied> {
        match self.meaning {
            Meaning::Rule(rule, _) | Meaning::GuardRule(rule) => rule.apply(graph, arguments),
            Meaning::Raise(_) => Some(Applied::never()),
            Meaning::Walk(_) | Meaning::Process(_) => None,
        }
    }
}
