//! Compares a run with the saved one.

use crate::outcome::Outcome;

/// How a run compares with the saved one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It passes, with the same result.
    Same,
    /// It failed before and passes now.
    Fixed,
    /// It was not run, because it was refused a call.
    NotRun,
    /// It passes, but with another result.
    Differs,
    /// It passed before and fails now.
    NowFails,
    /// It fails for another reason.
    FailsOtherwise,
    /// It fails as before.
    StillFails,
}

impl Verdict {
    pub(super) const ALL: [Self; 7] = [
        Self::Same,
        Self::Fixed,
        Self::NotRun,
        Self::Differs,
        Self::NowFails,
        Self::FailsOtherwise,
        Self::StillFails,
    ];

    pub(super) fn new(saved: &Outcome, now: Option<&Outcome>) -> Self {
        let Some(now) = now else {
            return Self::NotRun;
        };
        let is_same = is_same(saved, now);
        match (saved.is_finding(), now.is_finding()) {
            (false, false) if is_same => Self::Same,
            (false, false) => Self::Differs,
            (true, false) => Self::Fixed,
            (false, true) => Self::NowFails,
            (true, true) if is_same => Self::StillFails,
            (true, true) => Self::FailsOtherwise,
        }
    }

    /// Whether nothing needs to be done.
    pub fn is_fine(self) -> bool {
        match self {
            Self::Same | Self::Fixed | Self::NotRun => true,
            Self::Differs | Self::NowFails | Self::FailsOtherwise | Self::StillFails => false,
        }
    }

    /// Its name in JSON.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Fixed => "fixed",
            Self::NotRun => "not-run",
            Self::Differs => "differs",
            Self::NowFails => "now-fails",
            Self::FailsOtherwise => "fails-otherwise",
            Self::StillFails => "still-fails",
        }
    }

    /// A number of inputs with their verb: `2 still fail`.
    pub(super) fn counted(self, count: usize) -> String {
        let one = count == 1;
        match self {
            Self::Same => format!("{count} as before"),
            Self::Fixed => format!("{count} fixed"),
            Self::NotRun => format!("{count} not run"),
            Self::Differs if one => "1 answers differently".to_owned(),
            Self::Differs => format!("{count} answer differently"),
            Self::NowFails if one => "1 fails now".to_owned(),
            Self::NowFails => format!("{count} fail now"),
            Self::FailsOtherwise if one => "1 fails differently".to_owned(),
            Self::FailsOtherwise => format!("{count} fail differently"),
            Self::StillFails if one => "1 still fails".to_owned(),
            Self::StillFails => format!("{count} still fail"),
        }
    }
}

/// Whether two runs ended in the same way. Their stacks may differ, because code moves.
fn is_same(saved: &Outcome, now: &Outcome) -> bool {
    match (saved, now) {
        (Outcome::Ok(saved), Outcome::Ok(now)) => is_same_text(saved, now),
        (
            Outcome::Exception { class, reason, .. },
            Outcome::Exception {
                class: class_now,
                reason: reason_now,
                ..
            },
        ) => class == class_now && is_same_text(reason, reason_now),
        // On the original code a process that waits for ever takes too long.
        (
            Outcome::Timeout | Outcome::Deadlock { .. },
            Outcome::Timeout | Outcome::Deadlock { .. },
        ) => true,
        // A JSON report has the same name for both.
        (Outcome::Killed | Outcome::WorkerDied, Outcome::Killed | Outcome::WorkerDied) => true,
        (
            Outcome::Ok(_)
            | Outcome::Exception { .. }
            | Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Deadlock { .. }
            | Outcome::Steps
            | Outcome::Blocked(_),
            _,
        ) => false,
    }
}

fn is_same_text(saved: &str, now: &str) -> bool {
    saved == now || without_identities(saved) == without_identities(now)
}

/// A text without the parts that differ in every run: `#Fun<m.1.2>`, `#Ref<…>`, `#Port<…>`, pids.
fn without_identities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        let inside = tag.find('>').and_then(|end| tag.get(1..end));
        match inside {
            Some(inside) if is_tagged(before) || is_pid(inside) => {
                out.push_str("<>");
                rest = tag.get(inside.len() + 2..).unwrap_or_default();
            }
            _ => {
                out.push('<');
                rest = tag.get(1..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

fn is_tagged(before: &str) -> bool {
    ["#Fun", "#Ref", "#Port"]
        .iter()
        .any(|tag| before.ends_with(tag))
}

/// Three numbers with dots between them.
fn is_pid(text: &str) -> bool {
    let is_number =
        |part: &str| !part.is_empty() && part.chars().all(|character| character.is_ascii_digit());
    text.split('.').count() == 3 && text.split('.').all(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ok(text: &str) -> Outcome {
        Outcome::Ok(text.to_owned())
    }

    fn raised(class: &str, reason: &str) -> Outcome {
        Outcome::Exception {
            class: class.to_owned(),
            reason: reason.to_owned(),
            stack: Vec::new(),
        }
    }

    #[test]
    fn runs_are_compared_with_what_was_saved() {
        let error = || raised("error", "badarith");
        let cases = [
            (ok("1"), ok("1"), Verdict::Same),
            (ok("1"), ok("2"), Verdict::Differs),
            (ok("1"), error(), Verdict::NowFails),
            (error(), ok("1"), Verdict::Fixed),
            (error(), error(), Verdict::StillFails),
            (error(), raised("error", "badarg"), Verdict::FailsOtherwise),
            (error(), raised("exit", "badarith"), Verdict::FailsOtherwise),
            (error(), Outcome::Timeout, Verdict::FailsOtherwise),
            (Outcome::Timeout, Outcome::Timeout, Verdict::StillFails),
            (Outcome::WorkerDied, Outcome::Killed, Verdict::StillFails),
            (raised("exit", "normal"), ok("1"), Verdict::Differs),
            (
                raised("exit", "normal"),
                raised("exit", "normal"),
                Verdict::Same,
            ),
        ];
        for (saved, now, verdict) in cases {
            assert_eq!(
                Verdict::new(&saved, Some(&now)),
                verdict,
                "{saved:?} {now:?}"
            );
        }
        assert_eq!(
            Verdict::new(&Outcome::Blocked(String::new()), None),
            Verdict::NotRun
        );
    }

    #[test]
    fn parts_that_differ_in_every_run_are_not_compared() {
        let same = [
            ("{#Fun<m.1.2>,a}", "{#Fun<m.7.9>,a}"),
            ("[<0.1.0>|#Ref<0.1.2.3>]", "[<0.99.0>|#Ref<0.4.5.6>]"),
            ("#Port<0.1>", "#Port<0.2>"),
        ];
        for (saved, now) in same {
            assert!(is_same_text(saved, now), "{saved} {now}");
        }
        let different = [
            ("<<1>>", "<<2>>"),
            ("<<\"a<b\">>", "<<\"a<c\">>"),
            ("{#Fun<m.1.2>,a}", "{#Fun<m.1.2>,b}"),
            ("<0.1>", "<0.2>"),
        ];
        for (saved, now) in different {
            assert!(!is_same_text(saved, now), "{saved} {now}");
        }
    }

    #[test]
    fn every_verdict_has_a_name_and_a_count() {
        let texts: Vec<String> = Verdict::ALL
            .iter()
            .map(|it| format!("{}: {}; {}", it.name(), it.counted(1), it.counted(2)))
            .collect();
        insta::assert_snapshot!(texts.join("\n"));
    }
}
