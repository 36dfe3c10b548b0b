//! `erlconcolic completions` and `erlconcolic man-pages`: for shells and for `man`.

use std::io;
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use crate::arguments::CommandLine;
use crate::failure::Failure;
use crate::files::output::write_files;
use crate::installed::OWN_VERSION;
use crate::terminal::printing::print_result;

/// Prints the completions of a shell.
pub(crate) fn print(shell: Shell) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    generate(shell, &mut visible(), "erlconcolic", &mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    print_result(&mut io::stdout().lock(), [text])
}

/// The tool without its hidden commands, which shells would also complete.
fn visible() -> Command {
    let all = CommandLine::command();
    let shown = all.get_subcommands().filter(|it| !it.is_hide_set());
    let shown: Vec<Command> = shown.cloned().collect();
    Command::new("erlconcolic")
        .version(OWN_VERSION)
        .propagate_version(true)
        .subcommands(shown)
}

/// Writes a page for the tool and one for each command.
pub(crate) fn write_manual(folder: &Path) -> Result<(), Failure> {
    let mut tool = CommandLine::command().disable_help_subcommand(true);
    tool.build();
    let mut pages = vec![("erlconcolic.1".to_owned(), page(&tool))];
    for command in tool.get_subcommands().filter(|it| !it.is_hide_set()) {
        let name = format!("erlconcolic-{}", command.get_name());
        pages.push((format!("{name}.1"), page(command)));
    }
    let files = pages.iter();
    write_files(
        folder,
        files.map(|(name, text)| (name.clone(), text.as_slice())),
    )
}

fn page(command: &Command) -> Vec<u8> {
    let mut text = Vec::new();
    let written = Man::new(command.clone()).render(&mut text);
    written.expect("writing to memory cannot fail");
    text
}
