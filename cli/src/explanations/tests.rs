//! Every code has a page, and every page has a code.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use trace_engine::explore::Gap;
use walkdir::WalkDir;

use super::*;

/// The text before a code in the sources.
const BEFORE_CODES: [&str; 2] = ["Diagnostic::error(", "Diagnostic::warning("];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn known() -> BTreeSet<String> {
    PAGES.iter().map(|(code, _)| (*code).to_owned()).collect()
}

/// All sources of the crates by path, without tests.
fn sources() -> Vec<(PathBuf, String)> {
    let crates = fs::read_dir(repository()).expect("the repository can be read");
    let folders = crates.map(|entry| entry.expect("it can be read").path().join("src"));
    let own_words = ["diagnostic/src/lib.rs", "tests.rs"];
    let mut found = Vec::new();
    for folder in folders.filter(|folder| folder.is_dir()) {
        for file in WalkDir::new(&folder).sort_by_file_name() {
            let path = file.expect("the folder can be read").into_path();
            let is_source = path.extension().is_some_and(|it| it == "rs");
            if is_source && !own_words.iter().any(|name| path.ends_with(name)) {
                let text = fs::read_to_string(&path).expect("sources are UTF-8");
                let code = text.split("#[cfg(test)]\nmod tests {").next();
                found.push((path, code.unwrap_or_default().to_owned()));
            }
        }
    }
    found
}

/// The literal at the beginning of a text.
fn literal(text: &str) -> Option<String> {
    let rest = text.trim_start().strip_prefix('"')?;
    Some(rest.split('"').next()?.to_owned())
}

/// The codes of messages and of gaps.
fn used() -> BTreeSet<String> {
    let mut codes: BTreeSet<String> = Gap::CODES.iter().map(|it| (*it).to_owned()).collect();
    for (path, text) in sources() {
        for before in BEFORE_CODES {
            for rest in text.split(before).skip(1) {
                let place = path.display();
                let code = literal(rest);
                codes.insert(code.unwrap_or_else(|| panic!("{place}: a code is not a literal")));
            }
        }
    }
    codes
}

/// All pages of the documentation.
fn documents() -> Vec<String> {
    let folder = fs::read_dir(repository().join("docs")).expect("the folder is there");
    let paths = folder.map(|entry| entry.expect("it can be read").path());
    let pages = paths.filter(|path| path.extension().is_some_and(|it| it == "md"));
    let paths = pages.chain([repository().join("README.md")]);
    let read = |path| fs::read_to_string(path).expect("the document is there");
    paths.map(read).collect()
}

/// The codes in the first columns of the tables of a document.
fn documented(text: &str) -> BTreeSet<String> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    let first = rows.filter_map(|row| row.split('`').next());
    first.map(str::to_owned).collect()
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    assert_eq!(used(), known(), "used in the sources, and explained");
}

#[test]
fn the_sources_are_really_read() {
    let used = used();
    for code in ["compile", "crash", "core-syntax", "no-input"] {
        assert!(used.contains(code), "{code}: {used:?}");
    }
}

#[test]
fn every_file_is_a_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/explanations");
    let files = fs::read_dir(folder).expect("the folder is there");
    let paths = files.map(|entry| entry.expect("it can be read").path());
    let pages = paths.filter(|path| path.extension().is_some_and(|it| it == "md"));
    let names: BTreeSet<String> = pages
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    assert_eq!(names, known());
}

#[test]
fn the_tables_of_the_documentation_have_all_codes() {
    let documents = documents();
    let all: BTreeSet<String> = documents.iter().flat_map(|it| documented(it)).collect();
    // A finding is not an error; the text around the table says so.
    let findings = ["crash", "deadlock"].map(str::to_owned).into();
    let errors: BTreeSet<String> = known().difference(&findings).cloned().collect();
    let missing: Vec<&String> = errors.difference(&all).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_limitations_list_every_gap() {
    let page = fs::read_to_string(repository().join("docs/limitations.md"));
    let listed = documented(&page.expect("the page is there"));
    for code in Gap::CODES {
        assert!(listed.contains(*code), "docs/limitations.md: {code}");
    }
}

#[test]
fn pages_are_in_order_and_say_what_to_do() {
    let codes: Vec<&str> = PAGES.iter().map(|(code, _)| *code).collect();
    assert!(codes.is_sorted(), "{codes:?}");
    for (code, page) in PAGES {
        let summary = page.lines().next().unwrap_or_default();
        assert!(!summary.is_empty() && !summary.ends_with('.'), "{code}");
        assert!(page.contains("\n\nWhat to do: "), "{code}");
        let widest = page.lines().map(|line| line.chars().count()).max();
        assert!(widest.is_some_and(|widest| widest <= 100), "{code}");
    }
}
