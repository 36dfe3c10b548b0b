//! What the HTML page shows, as plain data.

/// All that the page shows.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// What was explored: `m:f/1`.
    pub(crate) title: String,
    /// One for each function that was explored.
    pub(crate) entries: Vec<EntryPage>,
    /// Functions that were not explored, and why.
    pub(crate) skipped: Vec<(String, String)>,
    pub(crate) sources: Vec<SourcePage>,
    /// The names of the user's modules of which no source can be shown.
    pub(crate) without_source: Vec<String>,
    /// Functions and clauses: reached, and all.
    pub(crate) functions: (usize, usize),
    pub(crate) clauses: (usize, usize),
}

/// What came of one function.
#[derive(Debug, Default)]
pub(crate) struct EntryPage {
    /// `m:f/1`.
    pub(crate) name: String,
    /// `m:f`.
    pub(crate) call: String,
    /// Whether all paths were run, and with arguments of which depth.
    pub(crate) is_complete: bool,
    pub(crate) term_depth: u32,
    /// Inputs that the precondition did not admit.
    pub(crate) rejected: usize,
    pub(crate) tests: Vec<TestPage>,
    pub(crate) findings: Vec<FindingPage>,
    pub(crate) steps: Vec<StepPage>,
    pub(crate) nodes: Vec<NodePage>,
    pub(crate) gaps: Vec<GapPage>,
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
    /// The places it came to, as bits.
    pub(crate) places: Vec<u8>,
}

/// A crash.
#[derive(Debug, Default)]
pub(crate) struct FindingPage {
    pub(crate) test: usize,
    /// `m:f(1) raises error: badarith`.
    pub(crate) title: String,
    /// Class and reason, or what else it is: `error: badarith`.
    pub(crate) what: String,
    /// Names and values.
    pub(crate) arguments: Vec<(String, String)>,
    /// What to type to see it.
    pub(crate) call: String,
    /// Where: a source and a line in it.
    pub(crate) place: Option<LinePage>,
    /// The functions that were running, and where.
    pub(crate) stack: Vec<(String, Option<LinePage>)>,
    /// The decisions that lead there.
    pub(crate) steps: Vec<StepPage>,
    /// Other arguments that crash there too.
    pub(crate) also: Vec<String>,
}

/// A line of a source: the number of the source if it is shown, and what to call it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LinePage {
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
    /// The source text of it.
    pub(crate) code: String,
    /// What must hold for it, in terms of the arguments.
    pub(crate) condition: String,
    /// The source texts of the clauses before it, which do not match.
    pub(crate) passed_over: Vec<String>,
}

/// A node of the tree of paths.
#[derive(Debug, Default)]
pub(crate) struct NodePage {
    /// The node above; the first node has none.
    pub(crate) above: Option<usize>,
    /// The decisions on the way from there, as numbers of steps.
    pub(crate) steps: Vec<usize>,
    /// The tests that end here, as indices.
    pub(crate) tests: Vec<usize>,
}

/// What was concretized or left out.
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
    /// A test that came to one of these places came to the line.
    pub(crate) places: Vec<usize>,
    /// How many tests did.
    pub(crate) tests: usize,
    /// The findings that crash on this line: entry and number of the finding.
    pub(crate) findings: Vec<(usize, usize)>,
    /// Whether it is in a clause that crashes.
    pub(crate) in_crash: bool,
}

/// What became of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LineState {
    /// There is no code on it.
    #[default]
    NoCode,
    /// Some test came there.
    Covered,
    /// Of several clauses on it, only some were reached.
    Partly,
    /// No test came there.
    Missed,
}
