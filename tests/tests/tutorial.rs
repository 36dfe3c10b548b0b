//! Goes through the tutorial from beginning to end: runs its commands, makes its changes, and
//! compares the output and the code that it shows with the real ones.
//!
//! The chapter on Elixir needs Elixir, and is skipped without it. Its searches follow Elixir's own
//! library, so the numbers in their output depend on the release and are not compared.
//!
//! With `INSTA_UPDATE=always` it updates the output in the tutorial.

use std::env;
use std::fs;

use end_to_end::elixir;
use end_to_end::erlang::package_path;
use end_to_end::rebar3::Project;

const TUTORIAL: &str = "../docs/tutorial.md";
const ELIXIR: &str = "../docs/tutorial-elixir.md";
const PROCESSES: &str = "../docs/tutorial-processes.md";
const MACHINES: &str = "../docs/tutorial-machines.md";

/// Whether code without a schedule shows a race depends on chance.
const BY_CHANCE: &str = "runs without this schedule did not show it";

/// A piece of the document.
enum Piece {
    /// Lines outside of blocks, with their ends.
    Prose(String),
    /// A block: its language and its lines.
    Block(String, Vec<String>),
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        match line.strip_prefix("```") {
            None => pieces.push(Piece::Prose(format!("{line}\n"))),
            Some(language) => {
                let block = lines.by_ref().take_while(|line| *line != "```");
                let block = block.map(str::to_owned).collect();
                pieces.push(Piece::Block(language.to_owned(), block));
            }
        }
    }
    pieces
}

/// Runs the commands of a block and returns them with what they print.
fn session(project: &mut Project, block: &[String]) -> Vec<String> {
    let mut real = Vec::new();
    for command in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
        real.push(format!("$ {command}"));
        if let Some(folder) = command.strip_prefix("cd ") {
            project.enter(folder);
            continue;
        }
        let printed = project.shell(command).text;
        real.extend(without_colour(&printed).lines().map(str::to_owned));
        // A block ends with its last line.
        while real.last().is_some_and(|line| line.trim().is_empty()) {
            real.pop();
        }
    }
    real
}

/// Text without the codes that set colours.
fn without_colour(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, code)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = code.split_once('m').map_or("", |(_, after)| after);
    }
    plain + rest
}

/// Makes a change given as `diff -u` with one hunk, which is found by its text.
fn change(project: &Project, block: &[String]) {
    let file = block.iter().find_map(|line| line.strip_prefix("+++ b/"));
    let file = file.expect("a change names its file");
    let side = |sign: char| -> String {
        let lines = block.iter().skip_while(|line| !line.starts_with("@@"));
        lines
            .skip(1)
            .filter_map(|line| line.strip_prefix([' ', sign]))
            .map(|line| format!("{line}\n"))
            .collect()
    };
    project.edit(file, &side('-'), &side('+'));
}

/// Checks that code stands in one of the files of the project.
fn assert_is_in_project(project: &Project, code: &str) {
    let files = [
        "src/shop.erl",
        "src/tickets.erl",
        "src/locker.erl",
        "rebar.config",
        "test/shop_tests.erl",
        "lib/cart.ex",
        "lib/cart/coupon.ex",
    ];
    let mut files = files.iter().filter(|file| project.path(file).exists());
    let is_there = files.any(|file| project.read(file).contains(code));
    assert!(is_there, "the project has no\n{code}");
}

/// Goes through a document, and returns it as it is and as it should be.
fn followed(document: &str) -> (String, String) {
    let shown = fs::read_to_string(package_path(document)).expect("the tutorial is there");
    let mut project = Project::of_repository(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let mut real = String::new();
    for piece in pieces(&shown) {
        match piece {
            Piece::Prose(text) => real.push_str(&text),
            Piece::Block(language, mut block) => {
                match language.as_str() {
                    "console" => block = session(&mut project, &block),
                    "diff" => change(&project, &block),
                    "erlang" | "elixir" => assert_is_in_project(&project, &block.join("\n")),
                    _ => {}
                }
                real.push_str(&format!("```{language}\n{}\n```\n", block.join("\n")));
            }
        }
    }
    (shown, real)
}

fn updates() -> bool {
    env::var("INSTA_UPDATE").is_ok_and(|update| update == "always")
}

/// The lines of a document without numbers, blanks, and what a search skipped, which is in a line of
/// its own and in the table of functions. Only some releases of Mix say each time what they generate.
fn without_numbers(text: &str) -> Vec<String> {
    let is_compared = |line: &&str| {
        !["  skipped: ", "Cart.", "Generated "]
            .iter()
            .any(|it| line.starts_with(it))
    };
    let lines = text.lines().filter(is_compared);
    let lines = lines.map(|line| {
        let plain = line.chars().filter(|it| !it.is_ascii_digit() && *it != ' ');
        plain.collect()
    });
    lines.collect()
}

/// Goes through a document whose output is the same each time.
fn assert_works(document: &str) {
    let (shown, real) = followed(document);
    if updates() {
        fs::write(package_path(document), &real).expect("the tutorial can be written");
    } else {
        assert_eq!(
            shown, real,
            "the tutorial (left) differs from the real output (right)"
        );
    }
}

#[test]
fn the_tutorial_works_as_it_is_written() {
    assert_works(TUTORIAL);
}

#[test]
fn the_chapter_on_machines_works_as_it_is_written() {
    assert_works(MACHINES);
}

#[test]
fn the_chapter_on_processes_works_as_it_is_written() {
    let (shown, real) = followed(PROCESSES);
    if updates() {
        fs::write(package_path(PROCESSES), &real).expect("the tutorial can be written");
        return;
    }
    let certain = |text: &str| {
        let lines = text.lines().filter(|line| !line.contains(BY_CHANCE));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        certain(&shown),
        certain(&real),
        "the tutorial (left) differs from the real output (right)"
    );
}

#[test]
fn the_chapter_on_elixir_works_as_it_is_written() {
    if !elixir::is_installed() {
        return;
    }
    let (shown, real) = followed(ELIXIR);
    if updates() {
        fs::write(package_path(ELIXIR), &real).expect("the tutorial can be written");
    } else {
        assert_eq!(
            without_numbers(&shown),
            without_numbers(&real),
            "the tutorial (left) differs from the real output (right)"
        );
    }
}
