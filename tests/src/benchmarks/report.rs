//! The results of measurements, as Markdown and as JSON.

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::columns::Column;

/// Tables and targets.
#[derive(Debug, Serialize, Deserialize)]
pub struct Report {
    /// What it is about.
    pub title: String,
    /// What was measured.
    pub tables: Vec<Table>,
    /// What the figures should be.
    pub targets: Vec<Target>,
}

/// Rows of figures.
#[derive(Debug, Serialize, Deserialize)]
pub struct Table {
    /// Its heading.
    pub title: String,
    /// How it was measured.
    pub note: String,
    /// What the rows are about.
    pub rows_are: String,
    /// The columns of figures.
    pub columns: Vec<Column>,
    /// The figures.
    pub rows: Vec<Row>,
}

/// A name and figures.
#[derive(Debug, Serialize, Deserialize)]
pub struct Row {
    /// What was measured.
    pub name: String,
    /// One for each column; `None` where there is no figure.
    pub figures: Vec<Option<f64>>,
}

/// Something that we want of the figures.
#[derive(Debug, Serialize, Deserialize)]
pub struct Target {
    /// What is wanted.
    pub text: String,
    /// What was measured.
    pub figure: Option<f64>,
    /// Whether the figure meets the target.
    pub is_met: bool,
}

impl Row {
    /// A row without gaps, except for figures that are not numbers.
    pub fn new(name: impl Into<String>, figures: impl IntoIterator<Item = f64>) -> Self {
        let figures = figures.into_iter();
        Self {
            name: name.into(),
            figures: figures.map(|it| it.is_finite().then_some(it)).collect(),
        }
    }
}

impl Report {
    /// An empty report.
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            tables: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) {
        self.tables.push(table);
    }

    /// Adds a target: its text, the measured figure, and whether it is met.
    pub fn target(&mut self, text: impl Into<String>, figure: f64, is_met: bool) {
        self.targets.push(Target {
            text: text.into(),
            figure: figure.is_finite().then_some(figure),
            is_met,
        });
    }

    /// Prints the report, and writes it to [`bench_folder`] under this name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn publish(&self, name: &str) -> io::Result<()> {
        let text = format!("# {}\n{}{}", self.title, self.body(2), self.wanted());
        let folder = bench_folder()?;
        fs::create_dir_all(&folder)?;
        let json = serde_json::to_string_pretty(self)? + "\n";
        fs::write(folder.join(format!("{name}.json")), json)?;
        io::stdout().write_all(text.as_bytes())
    }

    /// The tables as Markdown, with headings of this level.
    pub(super) fn body(&self, level: usize) -> String {
        let tables = self.tables.iter();
        tables.map(|it| it.markdown(level)).collect()
    }

    fn wanted(&self) -> String {
        let lines: String = self.targets.iter().map(Target::line).collect();
        format!("\n## Targets\n\n{lines}")
    }
}

/// Where reports are written: `target/bench`.
///
/// # Errors
/// When this program does not know where it is.
pub fn bench_folder() -> io::Result<PathBuf> {
    let program = env::current_exe()?;
    let target = program.ancestors().nth(2).unwrap_or(Path::new("target"));
    Ok(target.join("bench"))
}

impl Table {
    fn markdown(&self, level: usize) -> String {
        let Self { title, note, .. } = self;
        let mut text = format!("\n{} {title}\n\n{note}\n\n", "#".repeat(level));
        text.push_str(&format!("| {} |", self.rows_are));
        for column in &self.columns {
            text.push_str(&format!(" {} |", column.name));
        }
        text.push_str("\n|---|");
        text.push_str(&"---:|".repeat(self.columns.len()));
        for row in &self.rows {
            text.push_str(&format!("\n| {} |", row.name));
            for figure in &row.figures {
                text.push_str(&format!(" {} |", shown(*figure)));
            }
        }
        text.push('\n');
        text
    }
}

impl Target {
    fn line(&self) -> String {
        let met = if self.is_met { "met" } else { "**not met**" };
        format!("- {}: {}: {met}\n", self.text, shown(self.figure))
    }

    /// A row of a table of targets.
    pub(super) fn cells(&self) -> String {
        let met = if self.is_met { "met" } else { "**not met**" };
        format!("| {} | {} | {met} |\n", self.text, shown(self.figure))
    }
}

/// A figure with as many digits as matter.
pub(super) fn shown(figure: Option<f64>) -> String {
    match figure {
        None => "–".to_owned(),
        Some(whole) if whole.fract() == 0.0 => format!("{whole:.0}"),
        Some(large) if large.abs() >= 100.0 => format!("{large:.0}"),
        Some(medium) if medium.abs() >= 10.0 => format!("{medium:.1}"),
        Some(small) if small.abs() >= 0.01 => format!("{small:.3}"),
        Some(tiny) => format!("{tiny:.5}"),
    }
}
