//! Columns of tables, and which way they get better.

use serde::{Deserialize, Serialize};

/// A column of figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its heading.
    pub name: String,
    /// Which figures are better.
    pub better: Better,
    /// Whether the same program always has the same figure: it was counted, not timed.
    pub is_counted: bool,
}

/// Which figures are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Large ones.
    More,
    /// Small ones.
    Less,
    /// Neither; they only describe.
    Neither,
}

/// A column of figures that were timed.
pub fn column(name: &str) -> Column {
    Column {
        name: name.to_owned(),
        better: Better::Neither,
        is_counted: false,
    }
}

/// A column of figures that were counted.
pub fn counted(name: &str) -> Column {
    Column {
        is_counted: true,
        ..column(name)
    }
}

impl Column {
    /// Large figures are better.
    #[must_use]
    pub fn more(self) -> Self {
        Self {
            better: Better::More,
            ..self
        }
    }

    /// Small figures are better.
    #[must_use]
    pub fn less(self) -> Self {
        Self {
            better: Better::Less,
            ..self
        }
    }
}
