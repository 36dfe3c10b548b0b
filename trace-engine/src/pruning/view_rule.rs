//! The rules by which states are told apart, by name.
//!
//! A rule that is missing loses findings without a word. So tests leave out one at a time and see
//! that something notices. That is possible only with the feature `weak-views`.

#[cfg(feature = "weak-views")]
use std::sync::atomic::{AtomicU8, Ordering};

use super::view::View;

/// Declares each rule once, with its name.
macro_rules! rules {
    ($($(#[$documentation:meta])* $rule:ident = $name:literal,)+) => {
        /// A rule by which states are told apart.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum ViewRule {
            $($(#[$documentation])* $rule,)+
        }

        #[cfg(feature = "weak-views")]
        impl ViewRule {
            /// All rules.
            pub const ALL: &[Self] = &[$(Self::$rule,)+];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name,)+
                }
            }
        }
    };
}

rules! {
    /// A pattern looks at the constants in it.
    PatternConstants = "pattern-constants",
    /// A pattern of a list cell looks at the whole list, not only at its length.
    PatternCells = "pattern-cells",
    /// What is looked at of the variables in a pattern of a tuple is looked at in the tuple.
    PatternElements = "pattern-elements",
    /// A guard that tests a type looks at it.
    TypeTests = "type-tests",
    /// A guard looks at its variables.
    Guards = "guards",
    /// A function whose result is looked at looks at what the result is made of.
    Results = "results",
    /// The same for functions in a function.
    LocalResults = "local-results",
    /// Whoever catches an exception looks at its reason.
    CaughtReasons = "caught-reasons",
    /// The first word of a reason tells findings apart.
    ReasonWords = "reason-words",
    /// What a fun returns may be looked at.
    FunResults = "fun-results",
    /// A map that is looked at is looked at with its values.
    MapValues = "map-values",
    /// A map of which only some values are looked at is looked at with its keys.
    MapKeys = "map-keys",
    /// Bit strings are made of values.
    Segments = "segments",
    /// A built-in that has no views looks at everything.
    OtherBuiltIns = "other-built-ins",
    /// A call of unknown code gives it everything.
    UnknownCalls = "unknown-calls",
    /// A call of a function that is a value looks at it, and gives it everything.
    CalledValues = "called-values",
    /// A tuple whose element is replaced is looked at in its other elements, and in the new one.
    ReplacedElements = "replaced-elements",
    /// Sums and products are of integers.
    Sums = "sums",
    /// Quotients depend on the divisor.
    Divisors = "divisors",
    /// What has a length is a proper list.
    Lengths = "lengths",
    /// What something is appended to is a proper list.
    Appended = "appended",
    /// What is reversed is a proper list.
    Reversed = "reversed",
    /// Only binaries are put into binaries.
    SegmentKinds = "segment-kinds",
    /// Only lists with an end are proper.
    ProperEnds = "proper-ends",
    /// Only what is known to be an integer is one.
    KnownIntegers = "known-integers",
    /// What a handler needs is needed where an exception can happen.
    Handlers = "handlers",
    /// Functions that wait for a result belong to the state.
    Callers = "callers",
    /// What is done after the last call counts, unless it decides nothing.
    LastCalls = "last-calls",
    /// Where the exception of a library function is reported belongs to the state.
    ReportedLines = "reported-lines",
    /// Nothing is known of a state after something was done that is not in its values.
    Effects = "effects",
    /// Conditions on what is needed belong to the state.
    Conditions = "conditions",
    /// Conditions that are connected with those belong to it, too.
    ConnectedConditions = "connected-conditions",
    /// And so do the kinds and constants of parts of the input.
    Facts = "facts",
    /// Parts of the input that are the same part stay the same.
    SameParts = "same-parts",
    /// The types of parts belong to the state.
    PartTypes = "part-types",
    /// A state with more depth left is another one.
    Levels = "levels",
    /// A state is in another one only if nothing is said of the other that is not said of it.
    WiderStates = "wider-states",
    /// A binary in a value that is needed counts as a whole.
    WholeBinaries = "whole-binaries",
    /// How many bytes are left counts.
    BytesLeft = "bytes-left",
    /// A state is covered only if no way is taken there that no run took.
    UntakenWays = "untaken-ways",
    /// And only if those that come next are covered.
    NextStates = "next-states",
    /// Values that come next have the shape that they had in the run.
    NextShapes = "next-shapes",
    /// Nothing is known behind something that is not understood.
    LostPaths = "lost-paths",
    /// The word of a reason is the same for all states that are covered.
    CoveredWords = "covered-words",
    /// What was assumed of a loop must be found.
    Assumptions = "assumptions",
}

/// The rule that is left out; as many as there are if none is.
#[cfg(feature = "weak-views")]
static LEFT_OUT: AtomicU8 = AtomicU8::new(u8::MAX);

/// Leaves out a rule in all searches of this process from now on.
#[cfg(feature = "weak-views")]
pub fn leave_out(rule: ViewRule) {
    LEFT_OUT.store(rule as u8, Ordering::Relaxed);
}

impl ViewRule {
    /// Whether it is kept.
    #[cfg(feature = "weak-views")]
    pub(crate) fn is_kept(self) -> bool {
        LEFT_OUT.load(Ordering::Relaxed) != self as u8
    }

    /// Whether it is kept.
    #[cfg(not(feature = "weak-views"))]
    pub(crate) const fn is_kept(self) -> bool {
        let _ = self;
        true
    }

    /// A view by this rule.
    pub(super) fn view(self, view: View) -> View {
        if self.is_kept() {
            view
        } else {
            View::nothing()
        }
    }
}
