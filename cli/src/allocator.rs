//! The allocator of the tool: mimalloc, without its slow path for alignment.
//!
//! Building and dropping syntax trees is mostly allocation. The crate `mimalloc` always asks for
//! aligned memory, which is slower in the library, although all of its blocks are aligned to a word
//! anyway.
#![expect(unsafe_code, reason = "a global allocator needs it")]

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::{c_int, c_long};
use std::io::Write;

use libmimalloc_sys as mimalloc;

use crate::exit_status::EXIT_FAILURE;

/// The allocator of the tool.
#[derive(Debug)]
pub struct Allocator;

impl Allocator {
    /// Keeps freed memory for some time before it is returned to the system. Call it once, at the
    /// start. By default memory is returned after 10 ms, and the next tree (there is one for each
    /// module) costs thousands of page faults.
    pub fn keep_freed_memory(&self) {
        // SAFETY: sets a number that the library reads from time to time.
        unsafe { mi_option_set(PURGE_DELAY, MILLISECONDS) }
    }
}

/// `mi_option_purge_delay` of version 2, which the bindings do not name.
const PURGE_DELAY: c_int = 15;
const MILLISECONDS: c_long = 1000;

unsafe extern "C" {
    fn mi_option_set(option: c_int, value: c_long);
    /// Ends the process at once, without exit handlers.
    safe fn _exit(status: c_int) -> !;
}

/// The message when there is no memory left for the heap or for the stack of a thread. The standard
/// library would abort or panic, which looks like a bug in the tool.
const OUT_OF_MEMORY: &[u8] = b"\
error: erlconcolic ran out of memory or threads
  |
  = help: --resume continues a search that was saved with --state
  = help: use fewer --workers or a smaller --term-depth
";

/// A block, or the end of the process if there is none.
#[inline]
fn not_null(block: *mut u8) -> *mut u8 {
    if block.is_null() {
        out_of_memory();
    }
    block
}

/// Reports that there is no memory left and ends the process.
#[cold]
pub(crate) fn out_of_memory() -> ! {
    // If the terminal is gone, there is nowhere to report it.
    let _ = std::io::stderr().write_all(OUT_OF_MEMORY);
    _exit(EXIT_FAILURE.into())
}

/// Every block of mimalloc is aligned at least like this.
const WORD: usize = size_of::<usize>();

// SAFETY: mimalloc follows the contract; blocks with a larger alignment come from the functions that
// take an alignment. The same function frees both kinds of blocks.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe {
            if layout.align() <= WORD {
                not_null(mimalloc::mi_malloc(layout.size()).cast())
            } else {
                not_null(mimalloc::mi_malloc_aligned(layout.size(), layout.align()).cast())
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
                not_null(mimalloc::mi_zalloc(layout.size()).cast())
            } else {
                not_null(mimalloc::mi_zalloc_aligned(layout.size(), layout.align()).cast())
            }
        }
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        unsafe {
            if layout.align() <= WORD {
                not_null(mimalloc::mi_realloc(pointer.cast(), size).cast())
            } else {
                not_null(mimalloc::mi_realloc_aligned(pointer.cast(), size, layout.align()).cast())
            }
        }
    }
}
