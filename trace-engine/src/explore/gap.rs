//! Why a search may have missed something.

use serde::{Deserialize, Serialize};

/// Declares each gap once, with its code.
macro_rules! gaps {
    ($($(#[$documentation:meta])* $gap:ident $(($about:ty))? = $code:literal,)+) => {
        /// Why a search may have missed something.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Gap {
            $($(#[$documentation])* $gap $(($about))?,)+
        }

        impl Gap {
            /// The codes of all gaps.
            pub const CODES: &[&str] = &[$($code,)+];

            /// Its code in reports, which never changes.
            pub fn code(&self) -> &'static str {
                match self {
                    $(Self::$gap { .. } => $code,)+
                }
            }
        }
    };
}

gaps! {
    /// A call whose result was taken from the log.
    OpaqueCall(String) = "opaque-call",
    /// A decision about something that is not understood, and where.
    NotUnderstood(String) = "not-understood",
    /// A question that the solver could not answer, and where.
    Unsolved(String) = "unsolved",
    /// A run that did not take the path that was predicted.
    Divergence = "divergence",
    /// A run whose log ends before the run did, and why.
    CutRun(String) = "cut-run",
    /// A run with more decisions than the search looks at.
    LongRun = "long-run",
    /// A log that cannot be replayed, and why.
    BadLog(String) = "bad-log",
    /// Something that no schedule controls, by its name.
    Uncontrolled(String) = "uncontrolled",
    /// An order with more switches between processes than are wanted.
    ScheduleBound = "schedule-bound",
    /// A crash that did not happen again without instrumentation. The caller of the search adds
    /// these.
    Unconfirmed(String) = "unconfirmed",
    /// A crash that was not run again without instrumentation, because the time was up. The caller
    /// of the search adds these.
    UncheckedCrash(String) = "unchecked-crash",
    /// A source that does not compile. The caller of the search adds these.
    NotCompiled(String) = "not-compiled",
    /// A limit was reached, or the search was stopped.
    Stopped = "stopped",
    /// A share of the functions that another search is about. Merged reports have these.
    MissingShard(String) = "missing-shard",
}

impl Gap {
    /// Whether it is about a question that was not asked or not answered, not about a run.
    pub(super) fn is_about_questions(&self) -> bool {
        match self {
            Self::NotUnderstood(_) | Self::Unsolved(_) | Self::LongRun | Self::Stopped => true,
            Self::OpaqueCall(_)
            | Self::Divergence
            | Self::CutRun(_)
            | Self::BadLog(_)
            | Self::Uncontrolled(_)
            | Self::ScheduleBound
            | Self::Unconfirmed(_)
            | Self::UncheckedCrash(_)
            | Self::NotCompiled(_)
            | Self::MissingShard(_) => false,
        }
    }

    /// The gap with this code and this text; `None` if there is no such code.
    pub fn named(code: &str, about: &str) -> Option<Self> {
        let kinds: [fn(String) -> Self; 10] = [
            Self::OpaqueCall,
            Self::NotUnderstood,
            Self::Unsolved,
            Self::CutRun,
            Self::BadLog,
            Self::Uncontrolled,
            Self::Unconfirmed,
            Self::UncheckedCrash,
            Self::NotCompiled,
            Self::MissingShard,
        ];
        let alone = [
            Self::Divergence,
            Self::LongRun,
            Self::ScheduleBound,
            Self::Stopped,
        ];
        let gaps = kinds.into_iter().map(|kind| kind(about.to_owned()));
        gaps.chain(alone).find(|it| it.code() == code)
    }

    /// The call, place, reason or event that it is about.
    pub fn about(&self) -> &str {
        match self {
            Self::OpaqueCall(about)
            | Self::NotUnderstood(about)
            | Self::Unsolved(about)
            | Self::CutRun(about)
            | Self::BadLog(about)
            | Self::Uncontrolled(about)
            | Self::Unconfirmed(about)
            | Self::UncheckedCrash(about)
            | Self::NotCompiled(about)
            | Self::MissingShard(about) => about,
            Self::Divergence => "a run did not take the path that was predicted",
            Self::ScheduleBound => "an order has too many switches between processes",
            Self::LongRun => "a run has too many decisions or steps",
            Self::Stopped => "the search ended before it was done",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Gap;

    #[test]
    fn codes_are_listed_in_the_order_of_the_gaps() {
        assert_eq!(Gap::CODES.len(), 14);
        assert_eq!(Gap::OpaqueCall(String::new()).code(), Gap::CODES[0]);
        assert_eq!(Gap::Stopped.code(), Gap::CODES[12]);
    }

    #[test]
    fn each_gap_is_found_by_its_code() {
        for code in Gap::CODES {
            let gap = Gap::named(code, "it").expect("the code is known");
            assert_eq!(gap.code(), *code);
        }
        assert_eq!(Gap::named("other", "it"), None);
        let named = Gap::named("opaque-call", "m:f/1");
        assert_eq!(named, Some(Gap::OpaqueCall("m:f/1".to_owned())));
    }
}
