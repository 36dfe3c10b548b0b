//! The allocator of the tool: mimalloc, without its detour for alignment.
//!
//! Building and dropping syntax trees is mostly allocation. The crate `mimalloc` asks for aligned
//! memory whatever the alignment; for that the library goes a longer way on every allocation,
//! though all of its blocks are aligned to a word anyway.
#![expect(unsafe_code, reason = "a global allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::{c_int, c_long};
use std::io::Write;

use libmimalloc_sys as mimalloc;

use crate::EXIT_FAILURE;

/// The allocator of the tool.
#[derive(Debug)]
pub struct Allocator;

impl Allocator {
    /// Keeps freed memory for some time before the system gets it back. To be called once, at the
    /// start: by default it goes back after 10 ms, and a tree that is built then, as one is for
    /// each module, costs thousands of page faults.
    pub fn keep_freed_memory(&self) {
        // SAFETY: sets a number that the library looks at from time to time.
        unsafe { mi_option_set(PURGE_DELAY, MILLISECONDS) }
    }
}

/// `mi_option_purge_delay` of version 2, which the bindings have no name for.
const PURGE_DELAY: c_int = 15;
const MILLISECONDS: c_long = 1000;

unsafe extern "C" {
    fn mi_option_set(option: c_int, value: c_long);
    /// Ends the process at once, without what is done at other exits.
    safe fn _exit(status: c_int) -> !;
}

/// What is said when there is no memory left, for the heap or for the stack of a thread. The standard
/// library would abort or panic, which looks like a bug of the tool.
const OUT_OF_MEMORY: &[u8] = b"\
error: the system gives erlconcolic no more memory or threads
  |
  = help: what --state kept can be gone on with, by --resume
  = help: fewer --workers or a smaller --term-depth need less
";

/// A block, or the end of the process if there is none.
#[inline]
fn there(block: *mut u8) -> *mut u8 {
    if block.is_null() {
        out_of_memory();
    }
    block
}

/// Says that there is no memory left and ends the process.
#[cold]
pub(crate) fn out_of_memory() -> ! {
    // Nowhere is left to report that the terminal is gone.
    let _ = std::io::stderr().write_all(OUT_OF_MEMORY);
    _exit(EXIT_FAILURE.into())
}

/// Every block of mimalloc is aligned at least like this.
const WORD: usize = size_of::<usize>();

// SAFETY: mimalloc keeps the contract; what needs more than the alignment of all blocks goes to
// the functions that take an alignment. Both kinds of blocks are freed by the same function.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe {
            if layout.align() <= WORD {
                there(mimalloc::mi_malloc(layout.size()).cast())
            } else {
                there(mimalloc::mi_malloc_aligned(layout.size(), layout.align()).cast())
            }
        }
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
        unsafe { mimalloc::mi_free(pointer.cast()) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        unsafe {
            if layout.align() <= WORD {
                there(mimalloc::mi_zalloc(layout.size()).cast())
            } else {
                there(mimalloc::mi_zalloc_aligned(layout.size(), layout.align()).cast())
            }
        }
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        unsafe {
            if layout.align() <= WORD {
                there(mimalloc::mi_realloc(pointer.cast(), size).cast())
            } else {
                there(mimalloc::mi_realloc_aligned(pointer.cast(), size, layout.align()).cast())
            }
        }
    }
}
