//! The part of a replay that belongs to the run as a whole: the program and the input, the graph,
//! and what was decided so far. All processes of the run share it.

use std::collections::HashMap;

use flattener::flat::SiteId;
use models::{Choice, Walk};
use smallvec::SmallVec;
use solver::ReleaseRules;
use solver::graph::{Condition, Graph, Input, NodeId, to_term};
use trace_format::{Ending, Payload, ProcessPath, Program};

use super::channels::Channels;
use super::logged_values::logged_value;
use super::messages::{Mailbox, Message};
use super::objects::Shared;
use super::play_mark::{LastClause, NotedMarks};
use super::replayed::{Decision, Fits, Misfit, OpaqueCall, ProgramSite, Replayed};
use super::run_event::{ReplayedProcess, RunEvent, RunEventKind};
use super::shared_state::SharedState;
use super::signal_effect::SignalEffect;
use super::together::{SpawnedCall, Together};
use crate::pruning::Pruning;
use crate::rules::{CapturedVariables, GuardVariables};

/// Values of arguments and results. There are few of them, and replaying a run is mostly that.
pub(super) type Nodes = SmallVec<[NodeId; 4]>;

/// What the processes of a run share.
#[derive(Debug)]
pub(super) struct RunState<'run> {
    pub(super) program: &'run Program,
    /// What is looked at, if that is known.
    pub(super) views: Option<&'run Pruning>,
    /// What is noted of the play of a machine.
    pub(super) marks: Option<NotedMarks>,
    /// The last clause that a callback of a machine chose.
    pub(super) last_clause: Option<LastClause>,
    /// Whether functions are forgotten at their tail calls.
    pub(super) forgets: bool,
    /// The arguments of the run.
    pub(super) input: Input,
    pub(super) captured: CapturedVariables,
    pub(super) guards: GuardVariables,
    /// The fun made at a site of a module, if there was only one.
    pub(super) made: HashMap<(usize, SiteId), Option<NodeId>>,
    /// The classes of caught exceptions, by the values that stand for their stack traces.
    pub(super) classes: HashMap<NodeId, NodeId>,
    /// Terms by the values that stand for their external form.
    pub(super) encoded: HashMap<NodeId, NodeId>,
    /// The first arguments with funs that a fun of the input was given, by the fun and by what its
    /// table knows of them.
    pub(super) given_funs: HashMap<(NodeId, NodeId), NodeId>,
    /// The mailbox of each process.
    mailboxes: Vec<Mailbox>,
    /// Whether code was called that is not followed: it may have changed something, or its results
    /// may depend on more than its arguments.
    pub(super) has_left: bool,
    /// Whether the only process that is replayed has spawned one that is controlled.
    pub(super) has_spawned: bool,
    /// Names and tables.
    pub(super) shared: SharedState,
    /// If several processes are replayed, in the order of their steps.
    pub(super) together: Option<Box<Together>>,
    pub(super) replayed: Replayed,
}

impl<'run> RunState<'run> {
    /// A run that has not begun. Places are noted in the first modules, this many.
    pub(super) fn new(program: &'run Program, rules: &ReleaseRules, modules: usize) -> Self {
        Self {
            program,
            views: None,
            marks: None,
            last_clause: None,
            // Where places are noted, the end of a statement counts.
            forgets: modules == 0,
            input: Input::default(),
            captured: CapturedVariables::default(),
            guards: GuardVariables::default(),
            made: HashMap::new(),
            classes: HashMap::new(),
            encoded: HashMap::new(),
            given_funs: HashMap::new(),
            mailboxes: vec![Mailbox::default()],
            has_left: false,
            has_spawned: false,
            shared: SharedState::default(),
            together: None,
            replayed: Replayed::new(rules, modules),
        }
    }

    #[inline]
    pub(super) fn graph(&mut self) -> &mut Graph {
        &mut self.replayed.graph
    }

    /// A walk through arguments, decided by the input of the run.
    pub(super) fn walk(&mut self) -> Walk<'_> {
        Walk::new(&mut self.replayed.graph, &mut self.input)
    }

    // ---- Processes

    /// The mailbox of a process.
    pub(super) fn mailbox(&mut self, process: usize) -> &mut Mailbox {
        if self.mailboxes.len() <= process {
            self.mailboxes.resize_with(process + 1, Mailbox::default);
        }
        let mailbox = self.mailboxes.get_mut(process);
        mailbox.expect("mailboxes up to this one were made")
    }

    /// The messages in the mailbox of a process.
    pub(super) fn messages_of(&self, process: usize) -> &[Message] {
        let mailbox = self.mailboxes.get(process);
        mailbox.map_or(&[], |it| it.messages.as_slice())
    }

    /// From now on several processes are replayed, of this number that have logs or leases, perhaps
    /// with deliveries that are steps. The first process is that of the entry function.
    pub(super) fn begin_together(&mut self, known_processes: usize, has_deliveries: bool) {
        self.together = Some(Box::new(Together {
            known_processes,
            channels: has_deliveries.then(Channels::default),
            ..Together::default()
        }));
        self.add_process(ProcessPath::ENTRY);
    }

    /// Adds a process.
    pub(super) fn add_process(&mut self, path: ProcessPath) {
        self.replayed.processes.push(ReplayedProcess {
            path,
            entry: None,
            ending: Ending::Open,
            waits_at: None,
        });
    }

    /// The events that follow are of this process.
    pub(super) fn begin_turn(&mut self, process: usize) {
        if let Some(together) = &mut self.together {
            together.current = process;
            together.steps = 0;
        }
    }

    /// How many steps the process made since its turn began.
    pub(super) fn steps_of_turn(&self) -> u32 {
        self.together.as_ref().map_or(0, |it| it.steps)
    }

    /// The processes that were spawned since this was asked last, in order.
    pub(super) fn take_spawned(&mut self) -> Vec<(usize, SpawnedCall)> {
        let together = self.together.as_mut();
        together.map_or_else(Vec::new, |it| std::mem::take(&mut it.spawned))
    }

    /// Whether processes may end each other.
    pub(super) fn has_signals(&self) -> bool {
        self.together.as_ref().is_some_and(|it| it.has_signals)
    }

    /// Notes that a step touches something.
    pub(super) fn note_touched(&mut self, shared: Shared) {
        let is_signal = match shared {
            Shared::Process(_) | Shared::Signals(_) | Shared::Mailbox(_) | Shared::Processes => {
                true
            }
            Shared::Name(_)
            | Shared::Table(..)
            | Shared::Term(_)
            | Shared::Cell(..)
            | Shared::Variable(_)
            | Shared::Alias(_)
            | Shared::Timer(_) => false,
        };
        if let Some(together) = &mut self.together {
            together.has_signals |= is_signal;
        }
    }

    /// Notes an event of the process that is replayed, if several are. Returns its number.
    pub(super) fn note_event(&mut self, at: Option<ProgramSite>, kind: RunEventKind) -> usize {
        let number = self.replayed.events.len();
        if let Some(together) = &mut self.together {
            together.steps += u32::from(kind.is_step());
            let place = at.map(|at| (at.module, at.site));
            let event = RunEvent::new(together.current, kind, place);
            self.replayed.events.push(event);
        }
        number
    }

    /// Notes what the last step did to what ends with processes. Nothing follows from it now.
    pub(super) fn note_effect(&mut self, effect: SignalEffect) {
        let mut events = self.replayed.events.iter_mut().rev();
        if let Some(together) = &mut self.together
            && let Some(event) = events.find(|it| it.kind.is_step())
        {
            together.signals.apply(effect);
            event.effects.push(effect);
        }
    }

    /// Notes a call with effects that nobody controls.
    pub(super) fn note_uncontrolled(&mut self, at: ProgramSite, name: String) {
        if self.together.is_some() {
            let place = Some((at.module, at.site));
            self.replayed.uncontrolled.push(OpaqueCall { name, place });
        }
    }

    // ---- Decisions

    fn add_decision(&mut self, decision: Decision) {
        if self.together.is_some() {
            let at = ProgramSite {
                module: decision.module,
                site: decision.site,
            };
            let number = self.replayed.decisions.len();
            self.note_event(Some(at), RunEventKind::Decision(number));
        }
        self.replayed.decisions.push(decision);
    }

    /// Notes a decision, unless no other branch was possible.
    pub(super) fn decide(&mut self, at: ProgramSite, ways: &[Condition], taken: usize) -> Fits {
        let before = ways.iter().take(taken);
        let is_forced = ways.get(taken) == Some(&Condition::TRUE)
            && before.clone().all(|way| *way == Condition::FALSE);
        if is_forced {
            return Ok(());
        }
        let is_impossible = ways.get(taken) == Some(&Condition::FALSE)
            || before.clone().any(|way| *way == Condition::TRUE);
        if is_impossible {
            return Err(Misfit("another clause matches"));
        }
        self.add_decision(Decision {
            module: at.module,
            site: at.site,
            ways: ways.to_vec(),
            taken,
            clause: None,
            given: None,
        });
        Ok(())
    }

    /// Notes that a clause was chosen, unless no other was possible.
    pub(super) fn decide_clause(
        &mut self,
        at: ProgramSite,
        ways: &[Condition],
        taken: usize,
        clause: usize,
    ) -> Fits {
        let before = self.replayed.decisions.len();
        self.decide(at, ways, taken)?;
        if let Some(decision) = self.replayed.decisions.get_mut(before) {
            decision.clause = Some(clause);
        }
        Ok(())
    }

    /// Notes the choices of a walk.
    pub(super) fn decide_all(&mut self, at: ProgramSite, choices: Vec<Choice>) -> Fits {
        for (ways, taken) in choices {
            self.decide(at, &ways, taken)?;
        }
        Ok(())
    }

    /// The first of these branches that the run could take; `None` if nobody can tell.
    pub(super) fn way_taken(&mut self, ways: &[Condition]) -> Option<usize> {
        let graph = &mut self.replayed.graph;
        self.input.first_that_holds(graph, ways)
    }

    /// Notes a decision that is not in the log, and returns the branch.
    pub(super) fn choose(
        &mut self,
        at: ProgramSite,
        ways: &[Condition],
    ) -> Result<Option<usize>, Misfit> {
        let taken = self.way_taken(ways);
        if let Some(taken) = taken {
            self.decide(at, ways, taken)?;
        }
        Ok(taken)
    }

    // ---- Values in the log

    /// A value of the run as a constant; what cannot leave its BEAM is unknown.
    pub(super) fn constant(&mut self, payload: &Payload) -> NodeId {
        logged_value(self.graph(), payload)
    }

    /// Whether a value had in the run the value in the log, as far as anybody can tell.
    pub(super) fn is_as_logged(&mut self, value: NodeId, logged: NodeId) -> bool {
        let graph = &mut self.replayed.graph;
        let known = self.input.value(graph, value);
        graph.is_unknown(logged) || known.is_none_or(|known| known == logged)
    }

    // ---- Opaque operations

    /// Whether one of these depends on the input or is not known.
    pub(super) fn is_open(&self, nodes: &[NodeId]) -> bool {
        let graph = &self.replayed.graph;
        nodes
            .iter()
            .any(|node| graph.is_symbolic(*node) || graph.is_unknown(*node))
    }

    /// Notes an opaque operation with its arguments.
    pub(super) fn note_opaque(&mut self, at: ProgramSite, name: String, given: &[NodeId]) {
        let place = Some((at.module, at.site));
        self.replayed.opaque.push(OpaqueCall { name, place });
        self.note_given(at, given);
    }

    /// Notes something opaque that is not at one site.
    pub(super) fn note_opaque_anywhere(&mut self, name: &str) {
        self.replayed.opaque.push(OpaqueCall {
            name: name.to_owned(),
            place: None,
        });
    }

    /// Notes the arguments of an opaque operation.
    pub(super) fn note_given(&mut self, at: ProgramSite, nodes: &[NodeId]) {
        for node in nodes {
            if self.replayed.graph.is_symbolic(*node) {
                self.decide_given(at, *node);
                let decisions = self.replayed.decisions.len();
                self.replayed.given.push((decisions, *node));
            }
        }
    }

    /// With another value the run could have taken another path.
    fn decide_given(&mut self, at: ProgramSite, node: NodeId) {
        let graph = &mut self.replayed.graph;
        let Some(value) = self.input.value(graph, node) else {
            return;
        };
        if let Some(term) = to_term(graph, value) {
            let ways = vec![graph.equal(node, value), Condition::TRUE];
            self.add_decision(Decision {
                module: at.module,
                site: at.site,
                ways,
                taken: 0,
                clause: None,
                given: Some((node, term)),
            });
        }
    }
}
