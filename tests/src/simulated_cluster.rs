//! A search on many nodes in simulated time. Which node gets which input when is decided by the real
//! [`Fleet`]; nodes, network and the work of the search for each path are simulated, without any BEAM.
//! Nodes gather their answers as real ones do, and a frame costs the search something whatever is in it.
//! There is always an input to be run, so what is missing to full utilisation is the cost of the
//! cluster: latency that is not hidden, nodes that fail, and a search that has no time for answers.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::mem;
use std::time::Duration;

use erlconcolic::fleet::{Fleet, Times};

use crate::random_programs::Random;

/// How long a node that has failed is away.
const AWAY: Duration = Duration::from_secs(30);
/// After this time a node that hangs counts as lost.
const TICK: Duration = Duration::from_secs(20);
/// How often a thread that has nothing to do looks whether a node has room.
const PAUSE: Duration = Duration::from_millis(5);
/// How long a thread of a search gathers inputs while it has something to do.
const MOST_GATHERED: Duration = Duration::from_millis(2);
/// What a run may take, and some patience.
const LONGEST: Duration = Duration::from_secs(20);

/// A cluster and its search.
#[derive(Clone, Copy, Debug)]
pub struct Cluster {
    /// How many nodes there are, with one worker each.
    pub nodes: usize,
    /// How long a message takes, in one direction.
    pub latency: Duration,
    /// How long a run takes on average. Times of runs are distributed exponentially.
    pub run: Duration,
    /// What a thread of the search does for each path.
    pub work: Duration,
    /// What it does for each frame that it sends or receives, whatever is in it.
    pub frame: Duration,
    /// How many threads the search has.
    pub threads: usize,
    /// How many of a thousand nodes fail in a minute. Half of them hang, the others end.
    pub failing: u32,
    /// How long all this goes on.
    pub time: Duration,
    /// Of the random numbers.
    pub seed: u64,
}

/// What a simulated search did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulatedSearch {
    /// The runs that counted.
    pub paths: u64,
    /// Which part of the time of all workers they took.
    pub utilisation: f64,
    /// The inputs that were lost with their nodes, and given to others.
    pub lost: u64,
}

impl SimulatedSearch {
    /// Paths in a second.
    pub fn paths_per_second(&self, cluster: &Cluster) -> f64 {
        self.paths as f64 / cluster.time.as_secs_f64()
    }
}

/// Lets a cluster work.
///
/// # Panics
/// When an input is lost, or counted twice.
pub fn simulate(cluster: &Cluster) -> SimulatedSearch {
    let mut simulation = Simulation::new(cluster);
    for node in 0..cluster.nodes {
        simulation.join(node, Duration::ZERO);
    }
    while let Some(Reverse(due)) = simulation.events.pop() {
        if due.time > cluster.time {
            break;
        }
        simulation.now = due.time;
        simulation.happens(due.event);
    }
    simulation.check();
    simulation.outcome()
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A node has the program: from now on it may get inputs.
    Ready { node: usize, session: i64 },
    /// Inputs arrive at a node.
    Arrive { session: i64, inputs: Vec<i64> },
    /// A run ends.
    Ends { session: i64, input: i64 },
    /// A node has gathered answers for a moment.
    Sends { session: i64, frame: u64 },
    /// Answers arrive at the search.
    Answers { session: i64, runs: Vec<MadeRun> },
    /// A thread of the search is done with what it did.
    Done { thread: usize },
    /// A thread that has nothing to do looks for room.
    Looks { thread: usize },
    /// A node fails: it ends or hangs.
    Fails { node: usize, session: i64 },
    /// The search notices that.
    Lost { session: i64 },
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    time: Duration,
    /// What was planned first is first.
    number: u64,
    event: Event,
}

/// A run that a node has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct MadeRun {
    input: i64,
    waited: Duration,
    ran: Duration,
}

/// A node, as long as it lives.
#[derive(Debug, Default)]
struct SimulatedNode {
    /// What has arrived, and when.
    queue: VecDeque<(i64, Duration)>,
    /// What runs: its number, and when it arrived and began.
    running: Option<(i64, Duration, Duration)>,
    /// What it has made and not sent.
    gathered: Vec<MadeRun>,
    /// The number of the next frame.
    frame: u64,
}

/// A thread of the search.
#[derive(Clone, Debug, Default)]
struct Thread {
    is_busy: bool,
    /// How long each run took that it has not looked at.
    made: VecDeque<Duration>,
    /// How many frames have come that it has not looked at.
    frames: u32,
    /// Inputs that are not sent yet, by the sessions that get them.
    outbox: BTreeMap<i64, Vec<i64>>,
    /// When it sent something last.
    flushed: Duration,
    /// Inputs that were lost, to be sent again.
    lost: Vec<i64>,
    /// How many inputs it has sent that are not answered.
    sent: usize,
    /// Whether it has nothing to do and looks for room from time to time.
    looks: bool,
}

struct Simulation<'cluster> {
    cluster: &'cluster Cluster,
    random: Random,
    now: Duration,
    planned: u64,
    events: BinaryHeap<Reverse<Due>>,
    fleet: Fleet,
    /// The nodes that live, by their sessions.
    nodes: HashMap<i64, SimulatedNode>,
    threads: Vec<Thread>,
    /// Which thread waits for which input.
    owners: HashMap<i64, usize>,
    next_session: i64,
    next_input: i64,
    paths: u64,
    lost: u64,
    worked: Duration,
}

impl<'cluster> Simulation<'cluster> {
    fn new(cluster: &'cluster Cluster) -> Self {
        Self {
            cluster,
            random: Random::new(cluster.seed),
            now: Duration::ZERO,
            planned: 0,
            events: BinaryHeap::new(),
            fleet: Fleet::default(),
            nodes: HashMap::new(),
            threads: vec![Thread::default(); cluster.threads],
            owners: HashMap::new(),
            next_session: 0,
            next_input: 0,
            paths: 0,
            lost: 0,
            worked: Duration::ZERO,
        }
    }

    fn outcome(&self) -> SimulatedSearch {
        let time = self.cluster.time.as_secs_f64() * self.cluster.nodes as f64;
        SimulatedSearch {
            paths: self.paths,
            utilisation: self.worked.as_secs_f64() / time,
            lost: self.lost,
        }
    }

    /// Each input is run, under way, or about to be sent again.
    fn check(&self) {
        let of_threads = self.threads.iter().map(|it| it.made.len() + it.lost.len());
        let others = self.owners.len() + of_threads.sum::<usize>();
        let known = usize::try_from(self.paths).map(|paths| paths + others);
        assert_eq!(usize::try_from(self.next_input), known, "inputs are lost");
    }

    fn plan(&mut self, after: Duration, event: Event) {
        let (time, number) = (self.now.saturating_add(after), self.planned);
        self.planned += 1;
        self.events.push(Reverse(Due {
            time,
            number,
            event,
        }));
    }

    /// A time that is distributed exponentially around an average.
    fn random_time(&mut self, average: Duration) -> Duration {
        const PARTS: usize = 1 << 24;
        let part = (self.random.below(PARTS) + 1) as f64 / PARTS as f64;
        Duration::try_from_secs_f64(average.as_secs_f64() * -part.ln()).unwrap_or(Duration::MAX)
    }

    /// A node comes after a while: it says hello, and takes the program.
    fn join(&mut self, node: usize, after: Duration) {
        let session = self.next_session;
        self.next_session += 1;
        let hello = self.cluster.latency * 6;
        self.plan(after.saturating_add(hello), Event::Ready { node, session });
    }

    fn happens(&mut self, event: Event) {
        match event {
            Event::Ready { node, session } => self.begin(node, session),
            Event::Arrive { session, inputs } => {
                let now = self.now;
                if let Some(node) = self.nodes.get_mut(&session) {
                    node.queue.extend(inputs.into_iter().map(|it| (it, now)));
                    self.run_next(session);
                }
            }
            Event::Ends { session, input } => self.end_run(session, input),
            Event::Sends { session, frame } => {
                let node = self.nodes.get(&session);
                if node.is_some_and(|it| it.frame == frame) {
                    self.send_answers(session);
                }
            }
            Event::Answers { session, runs } => self.hear(session, &runs),
            Event::Done { thread } => {
                if let Some(it) = self.threads.get_mut(thread) {
                    it.is_busy = false;
                }
                self.wake(thread);
            }
            Event::Looks { thread } => {
                if let Some(it) = self.threads.get_mut(thread) {
                    it.looks = false;
                }
                self.wake(thread);
            }
            Event::Fails { node, session } => {
                self.nodes.remove(&session);
                let hangs = self.random.chance(50);
                let noticed = if hangs { TICK } else { self.cluster.latency };
                self.plan(noticed, Event::Lost { session });
                self.join(node, AWAY);
            }
            Event::Lost { session } => {
                for input in self.fleet.lose(session) {
                    self.lost += 1;
                    self.tell(input, |thread| thread.lost.push(input));
                }
                (0..self.threads.len()).for_each(|thread| self.wake(thread));
            }
        }
    }

    fn begin(&mut self, node: usize, session: i64) {
        self.nodes.insert(session, SimulatedNode::default());
        self.fleet.begin(session, 1);
        if self.cluster.failing > 0 {
            let average = Duration::from_secs(60_000) / self.cluster.failing;
            let lives = self.random_time(average);
            self.plan(lives, Event::Fails { node, session });
        }
        for thread in 0..self.threads.len() {
            self.wake(thread);
        }
    }

    /// Lets the worker of a node begin with its next run.
    fn run_next(&mut self, session: i64) {
        let now = self.now;
        let Some(node) = self.nodes.get_mut(&session) else {
            return;
        };
        if node.running.is_some() {
            return;
        }
        let Some((input, arrived)) = node.queue.pop_front() else {
            return;
        };
        node.running = Some((input, arrived, now));
        let takes = self.random_time(self.cluster.run);
        self.plan(takes, Event::Ends { session, input });
    }

    fn end_run(&mut self, session: i64, input: i64) {
        let running = self.nodes.get_mut(&session);
        let running = running.and_then(|node| node.running.take());
        // The node may have failed meanwhile.
        let Some((_, arrived, began)) = running else {
            return;
        };
        let made = MadeRun {
            input,
            waited: began.saturating_sub(arrived),
            ran: self.now.saturating_sub(began),
        };
        self.run_next(session);
        let moment = self.fleet.moment();
        let Some(node) = self.nodes.get_mut(&session) else {
            return;
        };
        node.gathered.push(made);
        let frame = node.frame;
        if node.running.is_none() {
            self.send_answers(session);
        } else if node.gathered.len() == 1 {
            self.plan(moment, Event::Sends { session, frame });
        }
    }

    /// A node sends what it has gathered.
    fn send_answers(&mut self, session: i64) {
        if let Some(node) = self.nodes.get_mut(&session) {
            node.frame += 1;
            let runs = mem::take(&mut node.gathered);
            self.plan(self.cluster.latency, Event::Answers { session, runs });
        }
    }

    /// The search gets answers. Each goes to the thread that waits for it.
    fn hear(&mut self, session: i64, runs: &[MadeRun]) {
        let mut is_first = true;
        for run in runs {
            let MadeRun { input, waited, ran } = *run;
            let times = Times { waited, ran };
            if self.fleet.answered(session, input, self.now, times) {
                let frames = u32::from(mem::take(&mut is_first));
                self.tell(input, |thread| {
                    thread.made.push_back(ran);
                    thread.frames += frames;
                });
            }
        }
        (0..self.threads.len()).for_each(|thread| self.wake(thread));
    }

    /// Tells the thread that waits for an input what became of it.
    fn tell(&mut self, input: i64, news: impl FnOnce(&mut Thread)) {
        let owner = self.owners.remove(&input).expect("somebody waits for it");
        if let Some(thread) = self.threads.get_mut(owner) {
            thread.sent -= 1;
            news(thread);
        }
    }

    /// A thread that does nothing sends what it can, and goes on with a run that is made.
    fn wake(&mut self, number: usize) {
        if self.threads.get(number).is_none_or(|it| it.is_busy) {
            return;
        }
        while self.fleet.has_room() {
            self.choose(number);
        }
        let gathers = self.fleet.moment().min(MOST_GATHERED);
        let Some(thread) = self.threads.get_mut(number) else {
            return;
        };
        let mut frames = mem::take(&mut thread.frames);
        let is_due = self.now.saturating_sub(thread.flushed) >= gathers;
        if is_due || thread.made.is_empty() {
            thread.flushed = self.now;
            let outbox = mem::take(&mut thread.outbox);
            frames += u32::try_from(outbox.len()).unwrap_or(u32::MAX);
            for (session, inputs) in outbox {
                self.plan(self.cluster.latency, Event::Arrive { session, inputs });
            }
        }
        let Some(thread) = self.threads.get_mut(number) else {
            return;
        };
        let ran = thread.made.pop_front();
        if ran.is_some() || frames > 0 {
            thread.is_busy = true;
            let work = ran.map_or(Duration::ZERO, |_| self.cluster.work);
            self.paths += u64::from(ran.is_some());
            self.worked += ran.unwrap_or_default();
            let takes = work + self.cluster.frame * frames;
            self.plan(takes, Event::Done { thread: number });
        } else if thread.sent == 0 && !thread.looks {
            thread.looks = true;
            self.plan(PAUSE, Event::Looks { thread: number });
        }
    }

    /// Chooses a node for an input.
    fn choose(&mut self, number: usize) {
        let again = self.threads.get_mut(number).and_then(|it| {
            it.sent += 1;
            it.lost.pop()
        });
        let input = again.unwrap_or_else(|| {
            self.next_input += 1;
            self.next_input
        });
        let session = self.fleet.assign(input, self.now, LONGEST);
        let session = session.expect("there is room");
        let other = self.owners.insert(input, number);
        assert_eq!(other, None, "an input is sent twice");
        if let Some(thread) = self.threads.get_mut(number) {
            thread.outbox.entry(session).or_default().push(input);
        }
    }
}
