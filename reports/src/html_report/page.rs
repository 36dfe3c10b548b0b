//! What the HTML page shows, as plain data.

use crate::chart::Chart;
use crate::machine::FoundMachine;

/// The whole page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The function that was explored, `m:f/1`, or how many.
    pub(crate) title: String,
    /// Whether it was made from a report, without paths and without the lines of each test.
    pub(crate) is_told: bool,
    /// The crashes of all functions.
    pub(crate) findings: Vec<FindingPage>,
    /// How many crashes on unlikely inputs were left out.
    pub(crate) unlikely_left_out: usize,
    /// One for each function that was explored.
    pub(crate) entries: Vec<EntryPage>,
    /// The machines among them.
    pub(crate) machines: Vec<MachinePage>,
    /// Functions that were not explored, and why.
    pub(crate) skipped: Vec<(String, String)>,
    /// How many inputs were rejected and why, if there are any.
    pub(crate) rejected: Option<String>,
    /// Whether all paths of all functions were run, or go on as others that were.
    pub(crate) is_complete: bool,
    /// If some of them were not run: after how many runs it was clear that they go on as others.
    pub(crate) proved_after: Option<usize>,
    /// What bounds all inputs.
    pub(crate) bounds: String,
    pub(crate) sources: Vec<SourcePage>,
    /// The user's modules whose sources were not found.
    pub(crate) without_source: Vec<String>,
    /// Functions: how many were reached, and how many there are.
    pub(crate) functions: (usize, usize),
    /// The same for clauses.
    pub(crate) clauses: (usize, usize),
}

/// One function.
#[derive(Debug, Default)]
pub(crate) struct EntryPage {
    /// `m:f/1`.
    pub(crate) name: String,
    /// What comes before and after the arguments of a test: `m:f(` and `)`; for a machine `m: `.
    pub(crate) call: (String, &'static str),
    /// What bounds its inputs.
    pub(crate) bounds: String,
    pub(crate) tests: Vec<TestPage>,
    pub(crate) steps: Vec<StepPage>,
    pub(crate) nodes: Vec<NodePage>,
    /// How many ways that go on as others are not in the tree.
    pub(crate) merged_ways_left_out: usize,
    pub(crate) gaps: Vec<GapPage>,
}

/// A machine as it was found.
#[derive(Debug, Default)]
pub(crate) struct MachinePage {
    /// `door (gen_statem)`.
    pub(crate) name: String,
    pub(crate) machine: FoundMachine,
}

/// A test.
#[derive(Debug, Default)]
pub(crate) struct TestPage {
    /// Its arguments, separated by commas.
    pub(crate) arguments: String,
    /// `ok`, `error` and so on, as in the JSON report.
    pub(crate) outcome: String,
    /// What it returned or raised.
    pub(crate) result: String,
    /// Whether it crashed.
    pub(crate) is_crash: bool,
    /// Its processes, if there are several, and the schedule: a text for each.
    pub(crate) processes: Vec<String>,
    /// The places it reached, as bits.
    pub(crate) places: Vec<u8>,
}

/// The chart of a crash.
#[derive(Debug)]
pub(crate) struct ChartPage {
    pub(crate) chart: Chart,
    /// The line of each row.
    pub(crate) places: Vec<Option<LinePage>>,
}

/// The processes of a crash.
#[derive(Debug, Default)]
pub(crate) struct OrderPage {
    /// The process that crashes.
    pub(crate) process: String,
    /// The processes that wait, the functions in which they do, and their lines.
    pub(crate) waiting: Vec<(String, String, Option<LinePage>)>,
    /// Which process takes its steps when.
    pub(crate) schedule: Option<String>,
    /// The lines of the two steps whose order matters.
    pub(crate) race: Vec<LinePage>,
}

/// A crash.
#[derive(Debug, Default)]
pub(crate) struct FindingPage {
    /// The number of its function.
    pub(crate) entry: usize,
    /// The number of its test there.
    pub(crate) test: usize,
    /// The call: `m:f(1)`.
    pub(crate) title: String,
    /// Whether the user accepts it.
    pub(crate) is_accepted: bool,
    /// Whether a program is likely to get its input.
    pub(crate) is_likely: bool,
    /// Class and reason, `error: badarith`, or how else it ended.
    pub(crate) what: String,
    /// Names and values.
    pub(crate) arguments: Vec<(String, String)>,
    /// The call that reproduces it.
    pub(crate) call: String,
    /// The line that crashes.
    pub(crate) place: Option<LinePage>,
    /// What that line calls, if that raises.
    pub(crate) callee: Option<String>,
    /// The functions that were running, and their lines.
    pub(crate) stack: Vec<(String, Option<LinePage>)>,
    /// Its processes and their order, if there are several, or if it waits.
    pub(crate) order: Option<OrderPage>,
    /// What its processes do, if there are several.
    pub(crate) chart: Option<ChartPage>,
    /// Whether it happens on the original code, without a schedule.
    pub(crate) is_on_code: bool,
    /// The decisions that lead to the crash.
    pub(crate) steps: Vec<StepPage>,
    /// Calls of other functions that crash there too.
    pub(crate) other_entries: Vec<String>,
    /// Calls of the same function that crash there too.
    pub(crate) also: Vec<String>,
    /// How many tests crash there besides these.
    pub(crate) not_shown: usize,
}

/// A reference to a line of a source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LinePage {
    /// The number of the source, if it is shown.
    pub(crate) source: Option<usize>,
    pub(crate) line: u32,
    /// `src/m.erl:12`.
    pub(crate) text: String,
}

/// A decision on a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct StepPage {
    pub(crate) place: Option<LinePage>,
    /// The function that decided: `m:f/1`.
    pub(crate) function: String,
    /// What was decided: `clause 2 is chosen`.
    pub(crate) what: String,
    /// Its source text.
    pub(crate) code: String,
    /// Its condition on the arguments.
    pub(crate) condition: String,
    /// The source texts of the clauses before it that did not match.
    pub(crate) passed_over: Vec<String>,
}

/// A node of the tree of paths.
#[derive(Debug, Default)]
pub(crate) struct NodePage {
    /// Its parent; the first node has none.
    pub(crate) above: Option<usize>,
    /// The decisions between the parent and this node, as numbers of steps.
    pub(crate) steps: Vec<usize>,
    /// The tests that end here, as indices.
    pub(crate) tests: Vec<usize>,
    /// If it was not run: the node as which it goes on.
    pub(crate) goes_on_as: Option<usize>,
}

/// Something that was concretized or skipped.
#[derive(Debug, Default)]
pub(crate) struct GapPage {
    pub(crate) code: &'static str,
    pub(crate) what: String,
    pub(crate) why: &'static str,
    pub(crate) count: usize,
    pub(crate) places: Vec<LinePage>,
}

/// A source.
#[derive(Debug, Default)]
pub(crate) struct SourcePage {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) lines: Vec<SourceLine>,
}

/// A line of a source.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceLine {
    pub(crate) state: LineState,
    /// A test that reached one of these places reached the line.
    pub(crate) places: Vec<usize>,
    /// How many tests reached it.
    pub(crate) tests: usize,
    /// The numbers of the findings that crash on this line.
    pub(crate) findings: Vec<usize>,
    /// Whether it is in a clause that crashes.
    pub(crate) in_crash: bool,
}

/// Whether tests reached a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LineState {
    /// It has no code.
    #[default]
    NoCode,
    /// Some test reached it.
    Covered,
    /// Only some of the clauses on it were reached.
    Partly,
    /// No test reached it.
    Missed,
}
