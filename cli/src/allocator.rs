//! The allocator of the tool: mimalloc, without its detour for alignment.
//!
//! Building and dropping syntax trees is mostly allocation. The crate `mimalloc` asks for aligned
//! memory whatever the alignment; for that the library goes a longer way on every allocation,
//! though all of its blocks are aligned to a word anyway.
#![expect(unsafe_code, reason = "a global allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::{c_int, c_long};

use libmimalloc_sys as mimalloc;

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
                mimalloc::mi_malloc(layout.size()).cast()
            } else {
                mimalloc::mi_malloc_aligned(layout.size(), layout.align()).cast()
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
                mimalloc::mi_zalloc(layout.size()).cast()
            } else {
                mimalloc::mi_zalloc_aligned(layout.size(), layout.align()).cast()
            }
        }
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        unsafe {
            if layout.align() <= WORD {
                mimalloc::mi_realloc(pointer.cast(), size).cast()
            } else {
                mimalloc::mi_realloc_aligned(pointer.cast(), size, layout.align()).cast()
            }
        }
    }
}
