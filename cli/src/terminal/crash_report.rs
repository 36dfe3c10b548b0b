//! Reports a crash of the tool itself: it is not the user's fault, and what to send us.

use std::backtrace::Backtrace;
use std::env;
use std::io::Write;
use std::panic::PanicHookInfo;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use diagnostic::Diagnostic;

use crate::allocator::out_of_memory;
use crate::exit_status::EXIT_FAILURE;
use crate::installed::version_lines_from_files;
use crate::terminal::render;

/// The variable that makes the tool crash, for tests of the report.
const CRASH_VARIABLE: &str = "ERLCONCOLIC_CRASH";

/// The message of the standard library when the system refuses a thread, which is not our fault.
const NO_THREAD: &str = "failed to spawn thread";

/// Set by the first thread that crashes; only this thread reports.
static IS_REPORTED: AtomicBool = AtomicBool::new(false);

/// Reports crashes from now on; a crash ends the tool like an error.
pub(crate) fn install() {
    std::panic::set_hook(Box::new(report));
}

/// Crashes if the environment asks for it.
pub(crate) fn crash_on_demand() {
    if let Some(text) = env::var_os(CRASH_VARIABLE) {
        panic!("{CRASH_VARIABLE} is {}", text.display());
    }
}

fn report(panic: &PanicHookInfo<'_>) {
    if IS_REPORTED.swap(true, Ordering::SeqCst) {
        // Another thread writes the report, and ends the process.
        loop {
            std::thread::park();
        }
    }
    let message = panic.to_string();
    if message.contains(NO_THREAD) {
        out_of_memory();
    }
    let details = details(&message, &Backtrace::force_capture());
    let diagnostic = diagnostic(&message, save(&details).as_ref());
    render::show(&[diagnostic]);
    std::process::exit(i32::from(EXIT_FAILURE));
}

/// Everything that helps to find the bug.
fn details(message: &str, backtrace: &Backtrace) -> String {
    let words: Vec<String> = env::args_os()
        .map(|word| format!("{:?}", word.to_string_lossy()))
        .collect();
    format!(
        "erlconcolic {}\n\ncommand line: {}\n\n{message}\n\n{backtrace}",
        version_lines_from_files(),
        words.join(" ")
    )
}

/// Writes the details to a new temporary file, if possible.
fn save(details: &str) -> Option<PathBuf> {
    let mut file = tempfile::Builder::new()
        .prefix("erlconcolic-crash-")
        .suffix(".txt")
        .tempfile()
        .ok()?;
    file.write_all(details.as_bytes()).ok()?;
    let (_, path) = file.keep().ok()?;
    Some(path)
}

/// The message for the user, with the file of details if there is one.
fn diagnostic(message: &str, file: Option<&PathBuf>) -> Diagnostic {
    let flat = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let error = Diagnostic::error("internal", format!("erlconcolic crashed: {flat}"))
        .help("this is a bug in erlconcolic, not in your program");
    match file {
        Some(path) => error.help(format!(
            "please report it with the modules it read and this file: {}",
            path.display()
        )),
        None => error.help(
            "please report it with the command you ran, the modules it read, this message, and \
             what erlconcolic --version prints",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_message_says_what_to_send() {
        let path = PathBuf::from("/tmp/erlconcolic-crash-1.txt");
        let message = "panicked at a.rs:1:2:\nthe text";
        let with_file = reports::draw_diagnostics(&[diagnostic(message, Some(&path))], false);
        let without = reports::draw_diagnostics(&[diagnostic(message, None)], false);
        insta::assert_snapshot!(format!("{with_file}{without}"));
    }

    #[test]
    fn details_have_versions_command_line_message_and_backtrace() {
        let text = details("the text", &Backtrace::force_capture());
        for part in [
            "erlconcolic 0.",
            "\nZ3 ",
            "\nErlang/OTP ",
            "\ncommand line: \"",
            "the text",
        ] {
            assert!(text.contains(part), "{part:?} in {text}");
        }
    }
}
