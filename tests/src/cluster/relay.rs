//! A relay between a search and a node. It counts what passes, delays it, cuts the connection in the
//! middle of a message, or swallows everything from some moment on, as a broken network does.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What happens to a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelayFault {
    /// It is closed.
    Cut,
    /// It stays open, and nothing arrives any more.
    Silence,
}

/// A relay to a port of this machine. It ends when it is dropped.
#[derive(Debug)]
pub struct Relay {
    port: u16,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    target: u16,
    /// How long everything takes, in each direction.
    delay: Duration,
    is_over: AtomicBool,
    /// How many bytes have come, in both directions.
    bytes: AtomicU64,
    /// What happens to the connection on which this byte comes.
    planned: Mutex<Option<(u64, RelayFault)>>,
}

impl Relay {
    /// A relay to a port.
    ///
    /// # Panics
    /// When there is no port for it.
    pub fn to(target: u16) -> Self {
        Self::delayed(target, Duration::ZERO)
    }

    /// The same, with everything delayed.
    ///
    /// # Panics
    /// When there is no port for it.
    pub fn delayed(target: u16, delay: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there are ports");
        let port = listener.local_addr().expect("it has one").port();
        let shared = Arc::new(Shared {
            target,
            delay,
            is_over: AtomicBool::new(false),
            bytes: AtomicU64::new(0),
            planned: Mutex::new(None),
        });
        let own = Arc::clone(&shared);
        thread::spawn(move || {
            for search in listener.incoming().map_while(Result::ok) {
                if own.is_over.load(Ordering::Relaxed) {
                    return;
                }
                connect(&own, &search);
            }
        });
        Self { port, shared }
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// How many bytes have come, in both directions.
    pub fn bytes(&self) -> u64 {
        self.shared.bytes.load(Ordering::Relaxed)
    }

    /// Lets something happen after so many more bytes.
    pub fn plan(&self, after: u64, fault: RelayFault) {
        let at = self.bytes() + after;
        *self.shared.planned() = Some((at, fault));
    }

    /// Whether what was planned has not happened.
    pub fn has_plan(&self) -> bool {
        self.shared.planned().is_some()
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        // Wakes the listener.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

impl Shared {
    fn planned(&self) -> std::sync::MutexGuard<'_, Option<(u64, RelayFault)>> {
        self.planned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts bytes that have come. If something happens, how many of them pass before.
    fn count(&self, length: usize) -> Option<(usize, RelayFault)> {
        let length = u64::try_from(length).unwrap_or_default();
        let before = self.bytes.fetch_add(length, Ordering::Relaxed);
        let mut planned = self.planned();
        let (at, fault) = (*planned)?;
        if before + length < at {
            return None;
        }
        *planned = None;
        Some((usize::try_from(at.saturating_sub(before)).ok()?, fault))
    }
}

fn connect(shared: &Arc<Shared>, search: &TcpStream) {
    let Ok(node) = TcpStream::connect(("127.0.0.1", shared.target)) else {
        // The search is told at once, as by a machine on which nobody listens.
        let _ = search.shutdown(Shutdown::Both);
        return;
    };
    for stream in [search, &node] {
        let _ = stream.set_nodelay(true);
    }
    for (from, to) in [(search, &node), (&node, search)] {
        let (Ok(from), Ok(to)) = (from.try_clone(), to.try_clone()) else {
            return;
        };
        let shared = Arc::clone(shared);
        thread::spawn(move || pass(&shared, from, to));
    }
}

/// Passes bytes on in one direction, until one of the two ends or something happens.
fn pass(shared: &Shared, mut from: TcpStream, to: TcpStream) {
    let (sender, receiver) = channel();
    let writer = thread::spawn(move || write(to, &receiver));
    let mut buffer = [0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let happens = shared.count(length);
        let passes = happens.map_or(length, |(passes, _)| passes.min(length));
        let part = buffer.get(..passes).unwrap_or_default().to_vec();
        if sender.send((Instant::now() + shared.delay, part)).is_err() {
            break;
        }
        match happens {
            None => {}
            Some((_, RelayFault::Cut)) => break,
            Some((_, RelayFault::Silence)) => while let Ok(1..) = from.read(&mut buffer) {},
        }
    }
    drop(sender);
    let _ = writer.join();
    let _ = from.shutdown(Shutdown::Both);
}

fn write(mut to: TcpStream, parts: &Receiver<(Instant, Vec<u8>)>) {
    for (due, part) in parts {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        if to.write_all(&part).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}
