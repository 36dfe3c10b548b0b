//! The documentation shows what the tool prints, and its links lead somewhere.

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

/// The Markdown files of the top folder and of the folders in it, by name.
fn documents() -> Vec<(String, String)> {
    let mut documents = Vec::new();
    for folder in folders() {
        for path in files(&repository().join(&folder), false) {
            if path.extension().is_some_and(|extension| extension == "md") {
                let name = path.file_name().expect("a file has a name").display();
                let text = fs::read_to_string(&path).expect("documents are UTF-8");
                documents.push((format!("{folder}{name}"), text));
            }
        }
    }
    documents
}

/// The top folder, as an empty name, and the folders in it, in the order of names.
fn folders() -> Vec<String> {
    let entries = fs::read_dir(repository()).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let names = paths.filter(|path| path.is_dir()).filter_map(|path| {
        let name = path.file_name()?.to_str()?;
        Some(format!("{name}/"))
    });
    let mut folders: Vec<String> = names.collect();
    folders.push(String::new());
    folders.sort();
    folders
}

/// The files of a folder in the order of names; with `deep`, also those of its folders.
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

/// The sessions with the tool in a document: blocks that begin with `$ erlconcolic`. There is no
/// shell: arguments are split at spaces, and quotes around them are removed.
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

/// A folder with the samples, as in a checkout of the repository.
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

/// The anchors of the headings in a document, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let mut anchors = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if !is_code && line.starts_with('#') {
            anchors.push(anchor(line.trim_start_matches('#').trim()));
        }
    }
    anchors
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => letter.is_alphanumeric().then_some(letter),
    });
    kept.collect::<String>().to_lowercase()
}

/// What is wrong with a link in a document, if anything is.
fn fault(name: &str, text: &str, link: &str) -> Option<String> {
    let (file, part) = link.split_once('#').unwrap_or((link, ""));
    if file.contains("://") {
        return None;
    }
    let folder = repository().join(Path::new(name).parent().unwrap_or(Path::new("")));
    let target = folder.join(file);
    if !target.exists() {
        return Some(format!("{name}: {link}: no such file"));
    }
    if part.is_empty() {
        return None;
    }
    let linked = match file {
        "" => text.to_owned(),
        _ => fs::read_to_string(&target).expect("documents are UTF-8"),
    };
    let is_there = anchors(&linked).iter().any(|anchor| anchor == part);
    (!is_there).then(|| format!("{name}: {link}: no such heading"))
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut broken = Vec::new();
    for (name, text) in documents() {
        let links = text.split("](").skip(1);
        let links = links.filter_map(|rest| rest.split(')').next());
        broken.extend(links.filter_map(|link| fault(&name, &text, link)));
    }
    assert!(broken.is_empty(), "{broken:#?}");
}
