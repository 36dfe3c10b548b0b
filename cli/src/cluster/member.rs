//! A BEAM of ours that takes part in a cluster.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use erlang_term::Term;
use tempfile::TempDir;

use super::node_name::NodeName;
use super::refusal;
use crate::beam::{BeamError, MemberBeam, MemberEvents};
use crate::failure::Failure;
use crate::search::run_terms::text;

/// What must be the same on all machines of a cluster.
const TOOL: &str = env!("CARGO_PKG_VERSION");

/// After how many seconds a silent node counts as lost.
const TICK: u64 = 20;
/// Sets that number, for tests.
const TICK_VARIABLE: &str = "ERLCONCOLIC_NET_TICK";

/// How a node proves who it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemberOptions {
    /// A file with the cookie; without it, that of Erlang in the home folder.
    pub(crate) cookie_file: Option<PathBuf>,
    /// A file with options of `ssl`, as for `erl -ssl_dist_optfile`.
    pub(crate) tls: Option<PathBuf>,
}

/// A BEAM in the cluster.
#[derive(Debug)]
pub(super) struct Member {
    beam: MemberBeam,
}

/// What happens in the cluster.
#[derive(Debug)]
pub(super) enum Event {
    /// A session with a node begins.
    Opened { session: i64, node: String },
    /// The other end of a session sends this.
    Frame { session: i64, bytes: Vec<u8> },
    /// A session is over.
    Closed { session: i64 },
    /// There is no session with a node now, because of this.
    Refused {
        node: String,
        why: String,
        text: String,
    },
}

/// The events of a member.
#[derive(Debug)]
pub(super) struct Events(MemberEvents);

impl Member {
    /// Takes part under this name, and finds these nodes by their ports.
    pub(super) fn start(
        name: &NodeName,
        listens: bool,
        known: &[NodeName],
        options: &MemberOptions,
    ) -> Result<(Self, Events), Failure> {
        let home = options.cookie_file.as_deref().map(home).transpose()?;
        let tls = options.tls.as_deref().map(readable).transpose()?;
        let mut flags = vec!["-epmd_module", "erlconcolic_cluster_ports"];
        if let Some(tls) = &tls {
            flags.extend(["-proto_dist", "inet_tls", "-ssl_dist_optfile", tls]);
        }
        let described = describe(name, listens, known);
        let home_path = home.as_ref().map(TempDir::path);
        let (beam, mut events) = MemberBeam::start(&flags, home_path, described)?;
        let first = events.next().ok_or(BeamError::Died)?;
        match first.as_tuple() {
            Some([tag, _]) if tag.as_atom() == Some("started") => {}
            Some([tag, why, words]) if tag.as_atom() == Some("failed") => {
                let why = why.as_atom().unwrap_or_default();
                let words = text(words).unwrap_or_default();
                return Err(refusal::not_started(name, why, &words).into());
            }
            _ => return Err(BeamError::BadAnswer(first.to_string()).into()),
        }
        // It has read its cookie, and the copy goes.
        drop(home);
        Ok((Self { beam }, Events(events)))
    }

    /// Keeps a session with a node, whenever it is there.
    pub(super) fn connect(&self, node: &NodeName) {
        let name = Term::binary(node.name.as_bytes());
        self.beam
            .send(&Term::Tuple(vec![Term::atom("connect"), name]));
    }

    /// Sends a frame to the other end of a session.
    pub(super) fn send(&self, session: i64, frame: Vec<u8>) {
        let session = Term::Integer(session.into());
        let command = vec![Term::atom("send"), session, Term::binary(frame)];
        self.beam.send(&Term::Tuple(command));
    }

    /// Ends a session.
    pub(super) fn close(&self, session: i64) {
        let session = Term::Integer(session.into());
        self.beam
            .send(&Term::Tuple(vec![Term::atom("close"), session]));
    }

    /// Lets the BEAM end, and with it its events.
    pub(super) fn end(&self) {
        self.beam.end();
    }
}

impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.0.find_map(|term| event(&term))
    }
}

fn event(term: &Term) -> Option<Event> {
    let (tag, parts) = term.as_tuple()?.split_first()?;
    match (tag.as_atom()?, parts) {
        ("opened", [session, node]) => Some(Event::Opened {
            session: session.as_i64()?,
            node: text(node)?,
        }),
        ("frame", [session, bytes]) => Some(Event::Frame {
            session: session.as_i64()?,
            bytes: bytes.as_binary()?.to_vec(),
        }),
        ("closed", [session]) => Some(Event::Closed {
            session: session.as_i64()?,
        }),
        ("refused", [node, why, words]) => Some(Event::Refused {
            node: text(node)?,
            why: why.as_atom()?.to_owned(),
            text: text(words)?,
        }),
        _ => None,
    }
}

/// The options of `erlconcolic_cluster_start`.
fn describe(name: &NodeName, listens: bool, known: &[NodeName]) -> Term {
    let port = |port: u16| Term::Integer(i64::from(port).into());
    let ports = known.iter().filter_map(|node| {
        let name = Term::binary(node.name.as_bytes());
        Some(Term::Tuple(vec![name, port(node.port?)]))
    });
    let tick = std::env::var(TICK_VARIABLE).ok();
    let tick = tick.and_then(|it| it.parse().ok()).unwrap_or(TICK);
    Term::Map(vec![
        (Term::atom("tool"), Term::binary(TOOL.as_bytes())),
        (Term::atom("name"), Term::binary(name.name.as_bytes())),
        (
            Term::atom("listens"),
            Term::atom(if listens { "true" } else { "false" }),
        ),
        (
            Term::atom("port"),
            name.port.map_or_else(|| Term::atom("none"), port),
        ),
        (Term::atom("ports"), Term::list(ports)),
        (
            Term::atom("tick"),
            Term::Integer(i64::try_from(tick.max(1)).unwrap_or(i64::MAX).into()),
        ),
    ])
}

/// A home folder with the cookie of a file. So OTP reads it as always, and it is never on a command
/// line, where others could see it.
fn home(cookie_file: &Path) -> Result<TempDir, Failure> {
    let unreadable = |error| Failure::io("read", cookie_file, &error);
    let cookie = fs::read_to_string(cookie_file).map_err(unreadable)?;
    let cookie = cookie.trim();
    if cookie.is_empty() || !cookie.is_ascii() || cookie.contains(char::is_whitespace) {
        let title = format!("{} has no cookie", cookie_file.display());
        return Err(Diagnostic::error("bad-node", title)
            .help("a cookie is one word of letters and digits, alone in its file")
            .into());
    }
    let folder = tempfile::tempdir().map_err(|error| Failure::io("create", cookie_file, &error))?;
    let path = folder.path().join(".erlang.cookie");
    let mut new = OpenOptions::new();
    new.write(true).create_new(true).mode(0o400);
    new.open(&path)
        .and_then(|mut file| file.write_all(cookie.as_bytes()))
        .map_err(|error| Failure::io("write", &path, &error))?;
    Ok(folder)
}

/// The path of a file that can be read.
fn readable(path: &Path) -> Result<String, Failure> {
    let unreadable = |error| Failure::io("read", path, &error);
    fs::read(path).map_err(unreadable)?;
    let whole = path.canonicalize().map_err(unreadable)?;
    Ok(whole.to_string_lossy().into_owned())
}
