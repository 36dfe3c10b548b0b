//! Runs inputs on nodes, many at the same time.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::env;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use erlang_term::Atom;
use rustc_hash::FxHashMap;
use solver::ReleaseRules;
use trace_engine::explore::{Answers, AskedWay, Capacity, ReplayedElsewhere};
use trace_format::Schedule;

use super::frame::{Batch, FunctionOrder, NodeRun, Order, unpacked};
use super::pool::{AnsweredRun, Pool, Told};
use crate::beam::BeamRules;
use crate::beam::worker::{Outcome, Run, Worker};
use crate::failure::Failure;
use crate::search::runner::{InputKey, RunInput, Runner};

/// How many nodes may be lost while they have an input. It may be the reason, so it is run here then.
const MOST_LOST: usize = 2;

/// How much longer a node may take for a run than the run itself, for each time it tries: the same
/// that a worker gives its BEAM, and the network.
const PATIENCE: Duration = Duration::from_secs(15);
/// Sets the patience of a worker in milliseconds, for tests.
const PATIENCE_VARIABLE: &str = "ERLCONCOLIC_PATIENCE";

/// How long inputs and questions are gathered at most.
const MOST_GATHERED: Duration = Duration::from_millis(2);

/// How often somebody who waits looks whether the search should end.
const PAUSE: Duration = Duration::from_millis(50);

/// Runs inputs on nodes, of which there may be none for some time. An input whose node is lost goes to
/// another one, or to a worker here.
#[derive(Debug)]
pub(crate) struct RemoteRunner<'search> {
    pool: &'search Pool,
    /// For all runners of the search.
    here: &'search Mutex<Worker>,
    rules: Arc<BeamRules>,
    is_delivering: bool,
    agreed_in_run: usize,
    took: Option<Duration>,
    patience: Duration,
    /// What it has begun with and is not made.
    begun: FxHashMap<InputKey, Begun>,
    /// Which of those have which numbers in the pool.
    keys: FxHashMap<i64, InputKey>,
    /// Those that no node has.
    homeless: VecDeque<InputKey>,
    /// The functions that are run, by their tasks.
    functions: FxHashMap<usize, Arc<FunctionOrder>>,
    /// When something was sent last.
    sent: Instant,
    /// How long inputs and questions are gathered while there are runs to look at: a frame costs a node
    /// about as much whatever is in it.
    moment: Duration,
    /// Those that are not sent yet, by their sessions.
    outbox: BTreeMap<i64, Batch>,
    /// Those that should be run here.
    for_here: HashSet<InputKey>,
    /// What is made and was not asked for.
    made: FxHashMap<InputKey, NodeRun>,
    /// What is made or answered, in the order in which it came. Some of it was taken meanwhile.
    ready: VecDeque<InputKey>,
    /// The replay of the last run, if it was replayed there.
    replayed: Option<Box<ReplayedElsewhere>>,
    /// Runs that were replayed where they were made: the session and the number of the input.
    replayed_by: FxHashMap<InputKey, (i64, i64)>,
    /// Answers to questions about runs; `None` if they are lost.
    answered: FxHashMap<InputKey, Option<Answers>>,
    /// Its number in the pool.
    listener: usize,
    /// Only this runner uses it; the lock lets other threads see the rest of the runner.
    answers: Mutex<Receiver<Vec<AnsweredRun>>>,
}

/// An input that a node has, or should have.
#[derive(Debug)]
struct Begun {
    order: Arc<Order>,
    /// How many nodes were lost with it.
    lost: usize,
}

impl<'search> RemoteRunner<'search> {
    /// A runner for all nodes of a pool.
    pub(crate) fn new(
        pool: &'search Pool,
        here: &'search Mutex<Worker>,
        rules: &Arc<BeamRules>,
    ) -> Self {
        let (listener, answers) = pool.listener();
        let set = env::var(PATIENCE_VARIABLE).ok();
        let set = set.and_then(|text| text.parse().ok());
        Self {
            pool,
            is_delivering: lock(here).is_delivering(),
            here,
            rules: Arc::clone(rules),
            agreed_in_run: 0,
            took: None,
            patience: set.map_or(PATIENCE, Duration::from_millis),
            begun: FxHashMap::default(),
            keys: FxHashMap::default(),
            homeless: VecDeque::new(),
            functions: FxHashMap::default(),
            sent: Instant::now(),
            moment: pool.moment(),
            outbox: BTreeMap::new(),
            for_here: HashSet::new(),
            made: FxHashMap::default(),
            ready: VecDeque::new(),
            replayed: None,
            replayed_by: FxHashMap::default(),
            answered: FxHashMap::default(),
            listener,
            answers: Mutex::new(answers),
        }
    }

    /// Gives an input to a node. If there are none, it is run here; if all are busy, it waits.
    fn place(&mut self, key: InputKey) {
        let Some(Begun { order, lost }) = self.begun.get(&key) else {
            return;
        };
        let Some(function) = self.functions.get(&order.task) else {
            return;
        };
        if *lost >= MOST_LOST || !self.pool.has_nodes() {
            self.for_here.insert(key);
            return;
        }
        let longest = Duration::from_millis(function.limits.milliseconds);
        let longest = longest.saturating_add(self.patience);
        match self.pool.assign(longest, self.listener) {
            Some((session, id)) => {
                self.keys.insert(id, key);
                let batch = self.outbox.entry(session).or_default();
                batch.order(id, order, function);
            }
            None => self.homeless.push_back(key),
        }
    }

    /// Sends what is to be sent, as one batch for each node.
    fn flush(&mut self) {
        self.sent = Instant::now();
        if self.outbox.is_empty() {
            return;
        }
        let atoms = self.rules.atoms();
        self.moment = self.pool.moment();
        for (session, batch) in std::mem::take(&mut self.outbox) {
            let batch = Batch {
                atoms: atoms.clone(),
                moment: self.moment,
                ..batch
            };
            self.pool.send(session, batch);
        }
    }

    /// Goes on with what has begun: waits for an answer, but not long.
    fn go_on(&mut self) {
        if !self.homeless.is_empty() && (self.pool.has_room() || !self.pool.has_nodes()) {
            for key in std::mem::take(&mut self.homeless) {
                self.place(key);
            }
        }
        self.flush();
        self.pool.look();
        if !self.for_here.is_empty() {
            return;
        }
        if let Ok(heard) = self.answers().recv_timeout(PAUSE) {
            heard.into_iter().for_each(|it| self.hear(it));
            self.hear_more();
        }
    }

    /// Takes what has come.
    fn hear_more(&mut self) {
        while let Ok(heard) = self.answers().try_recv() {
            heard.into_iter().for_each(|it| self.hear(it));
        }
    }

    fn answers(&mut self) -> &mut Receiver<Vec<AnsweredRun>> {
        let answers = self.answers.get_mut();
        answers.unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&mut self, AnsweredRun { id, told }: AnsweredRun) {
        let Some(key) = self.keys.remove(&id) else {
            return;
        };
        match told {
            Told::Made(made) => {
                let Some(run) = unpacked::<NodeRun>(&made.run) else {
                    return self.lose(key);
                };
                self.begun.remove(&key);
                if run.replayed.as_ref().is_some_and(|it| it.answers.is_none()) {
                    self.replayed_by.insert(key, (made.session, id));
                }
                self.made.insert(key, run);
                self.ready.push_back(key);
            }
            Told::Answers(answers) => self.note_answers(key, unpacked(&answers)),
            Told::Lost => self.lose(key),
        }
    }

    fn lose(&mut self, key: InputKey) {
        match self.begun.get_mut(&key) {
            Some(begun) => {
                begun.lost += 1;
                self.place(key);
            }
            None => self.note_answers(key, None),
        }
    }

    fn note_answers(&mut self, key: InputKey, answers: Option<Answers>) {
        self.answered.insert(key, answers);
        self.ready.push_back(key);
    }

    /// What is made or answered and was not taken, the first of it.
    fn next_ready(&mut self) -> Option<InputKey> {
        loop {
            let key = *self.ready.front()?;
            if self.made.contains_key(&key) || self.answered.contains_key(&key) {
                return Some(key);
            }
            self.ready.pop_front();
        }
    }

    /// The run of an input, if it is made.
    fn take_made(&mut self, key: InputKey) -> Option<Run> {
        let run = self.made.remove(&key)?;
        self.agreed_in_run = run.agreed;
        self.took = Some(run.took);
        self.replayed = run.replayed;
        Some(run.run)
    }

    fn run_here(&mut self, input: &RunInput<'_>) -> Result<Option<Run>, Failure> {
        let mut here = lock(self.here);
        let run = here.run_until(
            input.function,
            input.arguments(),
            input.attempt.schedule,
            input.limits,
            input.end,
        )?;
        self.agreed_in_run = here.agreed_in_run();
        self.took = None;
        self.replayed = None;
        Ok(run)
    }
}

fn lock(worker: &Mutex<Worker>) -> MutexGuard<'_, Worker> {
    worker.lock().unwrap_or_else(PoisonError::into_inner)
}

fn order(input: &RunInput<'_>) -> Order {
    let attempt = &input.attempt;
    let is_plain = attempt.schedule == Schedule::run_on();
    Order {
        task: attempt.task,
        arguments: attempt.arguments.encoded().clone(),
        schedule: match is_plain {
            true => String::new(),
            false => attempt.schedule.to_string(),
        },
        replay: attempt.replay_order(),
    }
}

fn function_order(input: &RunInput<'_>) -> FunctionOrder {
    let (module, function) = input.function;
    FunctionOrder {
        module: module.clone(),
        function: function.clone(),
        limits: input.limits.clone(),
    }
}

impl Runner for RemoteRunner<'_> {
    fn run_input(&mut self, input: RunInput<'_>) -> Result<Option<Run>, Failure> {
        lock(self.here).ask_rules(input.end)?;
        let key = input.key();
        let is_late = || input.end.is_some_and(|end| Instant::now() >= end);
        if !self.begun.contains_key(&key) && !self.made.contains_key(&key) {
            self.begin_input(input);
        }
        loop {
            if let Some(run) = self.take_made(key) {
                let may_be_late = matches!(run.outcome, Outcome::Timeout | Outcome::WorkerDied);
                return Ok((!is_late() || !may_be_late).then_some(run));
            }
            if self.for_here.remove(&key) {
                self.begun.remove(&key);
                return self.run_here(&input);
            }
            if is_late() {
                return Ok(None);
            }
            self.go_on();
        }
    }

    fn begin_input(&mut self, input: RunInput<'_>) {
        let key = input.key();
        let function = self.functions.entry(key.0);
        function.or_insert_with(|| Arc::new(function_order(&input)));
        let order = Arc::new(order(&input));
        self.begun.insert(key, Begun { order, lost: 0 });
        self.place(key);
    }

    fn capacity(&self) -> Capacity {
        if self.pool.has_room() {
            Capacity::More
        } else {
            Capacity::Full
        }
    }

    fn take_replay(&mut self) -> Option<Box<ReplayedElsewhere>> {
        self.replayed.take()
    }

    fn ask(&mut self, run: InputKey, ways: &[AskedWay]) -> bool {
        let Some((session, id)) = self.replayed_by.remove(&run) else {
            return false;
        };
        let waits = !ways.is_empty();
        if waits && !self.pool.ask((session, id), self.patience, self.listener) {
            return false;
        }
        if waits {
            self.keys.insert(id, run);
        }
        let ways = ways.to_vec();
        let batch = self.outbox.entry(session).or_default();
        batch.questions.push((id, ways));
        waits
    }

    fn answers(&mut self, run: InputKey) -> Option<Answers> {
        self.answered.remove(&run)?
    }

    fn wait_for_any(&mut self, should_stop: &dyn Fn() -> bool) -> Option<InputKey> {
        loop {
            let ready = self.next_ready();
            if let Some(key) = ready.or_else(|| self.for_here.iter().next().copied()) {
                // What was begun meanwhile should not wait long for that one.
                if self.sent.elapsed() >= self.moment.min(MOST_GATHERED) {
                    self.flush();
                }
                return Some(key);
            }
            if (self.begun.is_empty() && self.keys.is_empty()) || should_stop() {
                return None;
            }
            self.go_on();
        }
    }

    fn took(&self) -> Option<Duration> {
        self.took
    }

    fn rules(&self) -> ReleaseRules {
        self.rules.rules()
    }

    fn ask_rules(&mut self, end: Option<Instant>) -> Result<(), Failure> {
        lock(self.here).ask_rules(end)
    }

    fn ask_order_of_atoms(&mut self, end: Option<Instant>) -> Result<(), Failure> {
        lock(self.here).ask_order_of_atoms(end)
    }

    fn agrees_on_atoms(&mut self, _: Option<Instant>) -> Result<bool, Failure> {
        Ok(self.rules.count() <= self.agreed_in_run)
    }

    fn atoms(&self) -> Vec<Atom> {
        self.rules.atoms()
    }

    fn is_delivering(&self) -> bool {
        self.is_delivering
    }
}
