//! The allocator of the tool, with a counter that can be switched on.
#![expect(unsafe_code, reason = "a global allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

use erlconcolic::Allocator;

/// Counts the bytes that are in use, while [`peak_of`] runs.
#[derive(Debug)]
pub(crate) struct Counting;

static COUNTS: AtomicBool = AtomicBool::new(false);
static IN_USE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

fn add(bytes: usize) {
    if COUNTS.load(Relaxed) {
        let in_use = IN_USE.fetch_add(bytes.cast_signed(), Relaxed) + bytes.cast_signed();
        PEAK.fetch_max(in_use, Relaxed);
    }
}

fn subtract(bytes: usize) {
    if COUNTS.load(Relaxed) {
        IN_USE.fetch_sub(bytes.cast_signed(), Relaxed);
    }
}

// SAFETY: all work is done by an allocator that keeps the contract; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { Allocator.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        subtract(layout.size());
        unsafe { Allocator.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { Allocator.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new place may be in use at once.
        add(size);
        subtract(layout.size());
        unsafe { Allocator.realloc(pointer, layout, size) }
    }
}

/// The most bytes that were in use at one time during some work, beyond those at its start.
pub(crate) fn peak_of<R>(work: impl FnOnce() -> R) -> (usize, R) {
    IN_USE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    COUNTS.store(true, Relaxed);
    let result = work();
    COUNTS.store(false, Relaxed);
    (PEAK.load(Relaxed).cast_unsigned(), result)
}
