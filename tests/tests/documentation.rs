//! What the documentation shows is what the tool does, and its links lead somewhere.

use std::fs;
use std::path::{Path, PathBuf};

use end_to_end::erlang::package_path;
use end_to_end::tool::Workplace;

/// A command in a `console` block and the output below it.
struct Session {
    place: String,
    arguments: Vec<String>,
    shown: String,
}

fn repository() -> PathBuf {
    package_path("..")
}

/// The Markdown files of the top folder, of `docs/` and of `samples/`, by name.
fn documents() -> Vec<(String, String)> {
    let mut documents = Vec::new();
    for folder in ["", "docs/", "samples/"] {
        for path in files(&repository().join(folder), false) {
            if path.extension().is_some_and(|extension| extension == "md") {
                let name = path.file_name().expect("a file has a name").display();
                let text = fs::read_to_string(&path).expect("documents are UTF-8");
                documents.push((format!("{folder}{name}"), text));
            }
        }
    }
    documents
}

/// The files of a folder in the order of names, and on demand those of its folders.
fn files(folder: &Path, deep: bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    paths.sort();
    let inside = |path: PathBuf| match path.is_dir() {
        true if deep => files(&path, deep),
        true => Vec::new(),
        false => vec![path],
    };
    paths.into_iter().flat_map(inside).collect()
}

/// The sessions with the tool in a document: blocks that begin with `$ erlconcolic`. Arguments
/// are split at spaces, and quotes around them are taken off; there is no shell.
fn sessions(name: &str, text: &str) -> Vec<Session> {
    let mut sessions = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((_, line)) = lines.next() {
        let is_session = line == "```console"
            && lines
                .peek()
                .is_some_and(|(_, first)| first.starts_with("$ erlconcolic "));
        if is_session {
            let block = lines.by_ref().take_while(|(_, line)| *line != "```");
            sessions.extend(commands(name, block));
        }
    }
    sessions
}

fn commands<'text>(name: &str, block: impl Iterator<Item = (usize, &'text str)>) -> Vec<Session> {
    let mut commands: Vec<Session> = Vec::new();
    for (index, line) in block {
        match (line.strip_prefix("$ erlconcolic "), commands.last_mut()) {
            (Some(arguments), _) => commands.push(Session {
                place: format!("{name}:{}", index + 1),
                arguments: arguments
                    .split_whitespace()
                    .map(|word| word.trim_matches('\'').to_owned())
                    .collect(),
                shown: String::new(),
            }),
            (None, Some(session)) => {
                session.shown.push_str(line);
                session.shown.push('\n');
            }
            (None, None) => unreachable!("a session begins with a command"),
        }
    }
    commands
}

/// A folder with the samples, as one has them after cloning the repository.
fn workplace() -> Workplace {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    for path in files(&repository().join("samples"), true) {
        let relative = path.strip_prefix(repository()).expect("it is below");
        let content = fs::read(&path).expect("samples can be read");
        place.write(relative.to_str().expect("names are UTF-8"), &content);
    }
    place
}

#[test]
fn sessions_show_what_the_tool_prints() {
    let place = workplace();
    let mut count = 0;
    for (name, text) in documents() {
        for session in sessions(&name, &text) {
            let arguments: Vec<&str> = session.arguments.iter().map(String::as_str).collect();
            let run = place.run(&arguments);
            let printed = format!("{}{}", run.stdout, run.stderr);
            assert_eq!(
                session.shown.trim_end(),
                printed.trim_end(),
                "{}: `erlconcolic {}` prints something else (second) than shown (first)",
                session.place,
                arguments.join(" ")
            );
            count += 1;
        }
    }
    assert!(count > 0, "the README shows a session");
}

#[test]
fn links_lead_to_files() {
    let mut broken = Vec::new();
    for (name, text) in documents() {
        let folder = repository().join(Path::new(&name).parent().unwrap_or(Path::new("")));
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let file = link.split('#').next().unwrap_or_default();
            let is_elsewhere = file.contains("://");
            if !is_elsewhere && !folder.join(file).exists() {
                broken.push(format!("{name}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}
