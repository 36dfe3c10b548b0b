//! Source files, by the compiler's names for them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use flattener::ast::Annotations;

use super::erlang_tokens::fragment;
use super::page::LinePage;
use crate::current_folder::CurrentFolder;
use crate::source_texts::ReadSource;

/// At most this many characters of a source text are shown.
const LONGEST_CODE: usize = 140;

/// Source texts, by the compiler's names for their files.
pub(super) struct SourceFiles<'files> {
    read: ReadSource<'files>,
    folder: &'files CurrentFolder,
    texts: HashMap<String, Option<String>>,
    /// Where the user's sources are. The compiler may use other names for them.
    paths: &'files [PathBuf],
    /// The files whose sources are shown, in order.
    shown: Vec<String>,
}

impl<'files> SourceFiles<'files> {
    pub(super) fn new(
        read: ReadSource<'files>,
        paths: &'files [PathBuf],
        folder: &'files CurrentFolder,
    ) -> Self {
        Self {
            read,
            folder,
            texts: HashMap::new(),
            paths,
            shown: Vec::new(),
        }
    }

    /// The text of a file; `None` if it is gone or is not a text.
    pub(super) fn text(&mut self, name: &str) -> Option<&str> {
        let (paths, read) = (self.paths, self.read);
        let text = self.texts.entry(name.to_owned()).or_insert_with(|| {
            let same_name = |path: &&PathBuf| path.file_name() == Path::new(name).file_name();
            let other = || paths.iter().find(same_name).and_then(|path| read(path));
            read(Path::new(name)).or_else(other)
        });
        text.as_deref()
    }

    /// Sets which files are shown.
    pub(super) fn show(&mut self, names: Vec<String>) {
        self.shown = names;
    }

    /// A line of a file. Files that are not shown have names without folders.
    pub(super) fn line(&self, name: &str, line: u32) -> LinePage {
        let source = self.number(name);
        let short = Path::new(name).file_name();
        let short = short.map_or(name.into(), |it| it.to_string_lossy());
        let shown = source.and_then(|number| self.shown.get(number));
        LinePage {
            source,
            line,
            text: format!("{}:{line}", shown.map_or(&*short, String::as_str)),
        }
    }

    /// The number of a file that is shown. Stacks may have its name without its folder.
    fn number(&self, name: &str) -> Option<usize> {
        let exact = self.shown.iter().position(|it| it == name);
        exact.or_else(|| {
            let shown = self.shown.iter().enumerate();
            let mut same = shown.filter(|it| Path::new(it.1).ends_with(name));
            let first = same.next().map(|it| it.0);
            first.filter(|_| same.next().is_none())
        })
    }

    pub(super) fn place(&self, annotations: &Annotations) -> Option<LinePage> {
        let (line, _) = annotations.position().filter(|it| it.0 > 0)?;
        Some(self.line(&self.folder.near(annotations.file()?), line))
    }

    /// The code at a place, and whether it is a clause head.
    pub(super) fn code(&mut self, annotations: &Annotations) -> Option<(String, bool)> {
        let (line, column) = annotations.position().filter(|it| it.0 > 0)?;
        let text = self.text(&self.folder.near(annotations.file()?))?;
        let (start, content) = line_of(text, line)?;
        let skipped = content.chars().take(column.saturating_sub(1) as usize);
        let start = start + skipped.map(char::len_utf8).sum::<usize>();
        Some(fragment(text, start, LONGEST_CODE))
    }

    /// The whole line at a place.
    pub(super) fn code_line(&mut self, annotations: &Annotations) -> Option<String> {
        let (line, _) = annotations.position().filter(|it| it.0 > 0)?;
        let text = self.text(&self.folder.near(annotations.file()?))?;
        let (_, content) = line_of(text, line)?;
        Some(content.trim().chars().take(LONGEST_CODE).collect())
    }
}

/// The offset of a line, and its text.
fn line_of(text: &str, line: u32) -> Option<(usize, &str)> {
    let mut start = 0;
    for (number, content) in (1_u32..).zip(text.split_inclusive('\n')) {
        if number == line {
            return Some((start, content.trim_end_matches(['\n', '\r'])));
        }
        start += content.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_without_its_folder_if_there_is_only_one() {
        let folder = CurrentFolder::default();
        let mut files = SourceFiles::new(&|_| None, &[], &folder);
        files.show(vec![
            "a/m.erl".to_owned(),
            "b/m.erl".to_owned(),
            "b/n.erl".to_owned(),
        ]);
        assert_eq!(files.line("b/m.erl", 3).source, Some(1));
        assert_eq!(files.line("n.erl", 3).source, Some(2));
        assert_eq!(files.line("n.erl", 3).text, "b/n.erl:3");
        assert_eq!(files.line("m.erl", 3).source, None);
        assert_eq!(files.line("x/other.erl", 3).text, "other.erl:3");
    }
}
