//! The result of a check.

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) status: Status,
    /// What was found.
    pub(super) found: String,
    /// What to do about it.
    pub(super) advice: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It works.
    Ok,
    /// The tool works, but with restrictions.
    Warning,
    /// The tool does not work.
    Missing,
}

impl Status {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Missing => "missing",
        }
    }
}

impl Check {
    pub(super) fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self {
            name,
            status: Status::Ok,
            found: found.into(),
            advice: None,
        }
    }

    pub(super) fn warning(
        name: &'static str,
        found: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self {
            status: Status::Warning,
            advice: Some(advice.into()),
            ..Self::ok(name, found)
        }
    }

    pub(super) fn missing(
        name: &'static str,
        found: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self {
            status: Status::Missing,
            ..Self::warning(name, found, advice)
        }
    }
}
