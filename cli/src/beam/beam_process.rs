//! Starts `erl` processes.

use std::env;
use std::io::{self, BufReader, BufWriter, PipeWriter};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use command_fds::{CommandFdExt, FdMapping};
use erlang_term::Term;

use super::beam_error::BeamError;
use super::patient::Patient;
use super::program_output::ProgramOutput;
use super::replies::send;

/// The modules of `erlconcolic_rt`, by name.
pub(crate) const RUNTIME_BEAMS: &[(&str, &[u8])] =
    include!(concat!(env!("OUT_DIR"), "/runtime_beams.rs"));
/// The modules of nodes of a cluster, by name.
const CLUSTER_BEAMS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/cluster_beams.rs"));
/// Loads those modules from the first packet, then calls `erlconcolic_channel`.
const BOOTSTRAP: &str = include_str!(concat!(env!("OUT_DIR"), "/bootstrap.expr"));

/// File descriptors of the child that the channel uses.
const CHILD_INPUT: i32 = 3;
const CHILD_OUTPUT: i32 = 4;

/// The size of the pipe to a BEAM, if the system allows it: its modules fit, so we need not wait
/// until it reads them.
const INPUT_SIZE: usize = 1 << 20;

/// A BEAM with its modules, and our ends of the pipes.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) child: Child,
    pub(super) input: BufWriter<PipeWriter>,
    pub(super) output: BufReader<Patient>,
}

/// Makes a BEAM return memory at once. The compiler's heaps are large, and it would keep several
/// more of their size.
pub(super) const SPARING: &[&str] = &["+MMmcs", "1"];

/// The boot file of BEAMs: without `~/.erlang`.
pub(super) const USUAL_BOOT: &str = "no_dot_erlang";

/// Starts a BEAM from a boot file, with flags for its emulator. Its output goes to our stderr, or where it is kept.
pub(super) fn start(
    boot: &str,
    flags: &[&str],
    kept: Option<&Arc<ProgramOutput>>,
) -> Result<Started, BeamError> {
    start_with(boot, flags, kept, None, RUNTIME_BEAMS.iter())
}

/// Starts a BEAM that can be a node of a cluster, which looks for its cookie in a home folder.
pub(super) fn start_member(flags: &[&str], home: Option<&Path>) -> Result<Started, BeamError> {
    let modules = RUNTIME_BEAMS.iter().chain(CLUSTER_BEAMS);
    start_with(USUAL_BOOT, flags, None, home, modules)
}

fn start_with(
    boot: &str,
    flags: &[&str],
    kept: Option<&Arc<ProgramOutput>>,
    home: Option<&Path>,
    modules: impl Iterator<Item = &'static (&'static str, &'static [u8])>,
) -> Result<Started, BeamError> {
    if env::current_dir().is_ok_and(|folder| folder.to_str().is_none()) {
        return Err(BeamError::FolderName);
    }
    let (child_input, input) = io::pipe().map_err(BeamError::Start)?;
    let (output, child_output) = io::pipe().map_err(BeamError::Start)?;
    let kept = kept.map(ProgramOutput::pipe).transpose();
    let kept = kept.map_err(BeamError::Start)?;
    let mut command = Command::new("erl");
    command
        // UTF-8 file names in any locale, without warnings about others; no menu on Ctrl-C; no
        // busy waiting, which would take the second core from us.
        .args(["-boot", boot, "-noinput", "+fnui", "+Bi", "+sbwt", "none"])
        .args(flags)
        .args(["-eval", BOOTSTRAP])
        .env("ERL_CRASH_DUMP_SECONDS", "0")
        // Only we get signals from the terminal; we end the process when we are done.
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(match &kept {
            Some(pipe) => Stdio::from(pipe.try_clone().map_err(BeamError::Start)?),
            None => Stdio::from(io::stderr()),
        })
        .stderr(kept.map_or_else(Stdio::inherit, Stdio::from))
        .fd_mappings(vec![
            FdMapping { parent_fd: child_input.into(), child_fd: CHILD_INPUT },
            FdMapping { parent_fd: child_output.into(), child_fd: CHILD_OUTPUT },
        ])
        .map_err(|error| BeamError::Start(io::Error::other(error)))?;
    if let Some(home) = home {
        command.env("HOME", home);
    }
    let child = command.spawn().map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            BeamError::NoErlang
        } else {
            BeamError::Start(error)
        }
    })?;
    // The command holds the child's ends of the pipes, which must be closed when the child dies.
    drop(command);
    // If the pipe cannot be that large, sending waits.
    let _ = rustix::pipe::fcntl_setpipe_size(&input, INPUT_SIZE);
    let mut input = BufWriter::new(input);
    // A process that dies at once is noticed at the first request.
    let _ = send(&mut input, &loaded(modules));
    Ok(Started {
        child,
        input,
        output: BufReader::new(Patient::new(output)),
    })
}

/// The first packet: `[{Module, FileName, Beam}]`.
fn loaded(modules: impl Iterator<Item = &'static (&'static str, &'static [u8])>) -> Term {
    Term::list(modules.map(|(module, beam)| {
        let file_name = format!("{module}.beam")
            .bytes()
            .map(|byte| Term::Integer(i64::from(byte).into()))
            .collect();
        Term::Tuple(vec![
            Term::atom(module),
            Term::List(file_name, None),
            Term::binary(*beam),
        ])
    }))
}
