//! Places in sources, by file and line.

use std::fmt;

use flattener::flat::SiteId;
use trace_format::Program;

use crate::current_folder::CurrentFolder;

/// A line of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The source; empty if unknown.
    pub file: String,
    /// The line; 0 if unknown.
    pub line: i64,
}

impl SourcePlace {
    /// The place of a site of a program.
    pub(crate) fn of_site(
        program: &Program,
        folder: &CurrentFolder,
        (module, site): (usize, SiteId),
    ) -> Option<Self> {
        let module = program.module(module)?;
        let (function, statement) = module.statement(site)?;
        let own = &statement.annotations;
        // Parts of a `receive` have no line.
        let before = (0..site.0).rev().map_while(|it| {
            let (index, statement) = module.statement(SiteId(it))?;
            (index == function).then_some(&statement.annotations)
        });
        let mut known = std::iter::once(own).chain(before);
        let annotations = known.find(|it| it.position().is_some()).unwrap_or(own);
        let file = annotations.file().map(|it| folder.near(it));
        Some(Self {
            file: file.unwrap_or_default(),
            line: annotations.position().map_or(0, |it| i64::from(it.0)),
        })
    }

    /// The file without its folders, and the line.
    pub(crate) fn short(&self) -> String {
        let name = self.file.rsplit(['/', '\\']).next().unwrap_or_default();
        match (name, self.line) {
            ("", _) => String::new(),
            (name, 0) => name.to_owned(),
            (name, line) => format!("{name}:{line}"),
        }
    }
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
