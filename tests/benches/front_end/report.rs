//! What was measured, as Markdown and as JSON.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use serde_json::{Map, Value, json};

/// Tables, and the targets.
#[derive(Debug)]
pub(crate) struct Report {
    title: &'static str,
    tables: Vec<Table>,
    targets: Vec<Target>,
}

/// Rows of figures.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) title: String,
    /// How it was measured.
    pub(crate) note: &'static str,
    pub(crate) columns: &'static [&'static str],
    pub(crate) rows: Vec<Row>,
}

/// A name and figures.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) figures: Vec<f64>,
}

#[derive(Debug)]
struct Target {
    text: String,
    figure: f64,
    met: bool,
}

impl Report {
    pub(crate) fn new(title: &'static str) -> Self {
        Self {
            title,
            tables: Vec::new(),
            targets: Vec::new(),
        }
    }

    pub(crate) fn table(&mut self, table: Table) {
        self.tables.push(table);
    }

    /// Something wanted, the figure measured, and whether it is what was wanted.
    pub(crate) fn target(&mut self, text: impl Into<String>, figure: f64, met: bool) {
        let text = text.into();
        self.targets.push(Target { text, figure, met });
    }

    /// Prints the report, and writes it to `target/bench/` under this name.
    pub(crate) fn publish(&self, name: &str) -> io::Result<()> {
        let text = self.markdown();
        let program = env::current_exe()?;
        let target = program.ancestors().nth(2).unwrap_or(Path::new("target"));
        let folder = target.join("bench");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("{name}.md")), &text)?;
        fs::write(folder.join(format!("{name}.json")), self.json())?;
        io::stdout().write_all(text.as_bytes())
    }

    fn markdown(&self) -> String {
        let mut text = format!("# {}\n", self.title);
        for table in &self.tables {
            text.push_str(&table.markdown());
        }
        text.push_str("\n## Targets\n\n");
        for Target {
            text: wanted,
            figure,
            met,
        } in &self.targets
        {
            let met = if *met { "met" } else { "not met" };
            writeln!(text, "- {wanted}: {}: {met}", shown(*figure))
                .expect("a string can be written");
        }
        text
    }

    fn json(&self) -> String {
        let tables: Vec<Value> = self.tables.iter().map(Table::json).collect();
        let targets: Vec<Value> = self
            .targets
            .iter()
            .map(|Target { text, figure, met }| {
                json!({ "target": text, "figure": figure, "met": met })
            })
            .collect();
        let value = json!({ "tables": tables, "targets": targets });
        format!("{value:#}\n")
    }
}

impl Table {
    fn markdown(&self) -> String {
        let mut text = format!("\n## {}\n\n{}\n\n|", self.title, self.note);
        for column in self.columns {
            text.push_str(&format!(" {column} |"));
        }
        text.push_str("\n|---|");
        text.push_str(&"---:|".repeat(self.columns.len() - 1));
        for row in &self.rows {
            text.push_str(&format!("\n| {} |", row.name));
            for figure in &row.figures {
                text.push_str(&format!(" {} |", shown(*figure)));
            }
        }
        text.push('\n');
        text
    }

    fn json(&self) -> Value {
        let rows: Vec<Value> = self.rows.iter().map(|row| row.json(self.columns)).collect();
        json!({ "title": self.title, "note": self.note, "rows": rows })
    }
}

impl Row {
    fn json(&self, columns: &[&str]) -> Value {
        let mut object = Map::new();
        let mut columns = columns.iter();
        let first = columns.next().copied().unwrap_or_default();
        object.insert(first.to_owned(), json!(self.name));
        for (column, figure) in columns.zip(&self.figures) {
            object.insert((*column).to_owned(), json!(figure));
        }
        Value::Object(object)
    }
}

/// A figure with as many digits as matter.
fn shown(figure: f64) -> String {
    match figure.abs() {
        large if large >= 100.0 => format!("{figure:.0}"),
        medium if medium >= 10.0 => format!("{figure:.1}"),
        _ => format!("{figure:.3}"),
    }
}
