//! Text for terminals.

mod code_frames;
mod shortened_text;
mod visible_text;

pub use code_frames::draw_diagnostics;
pub(crate) use shortened_text::{all_shortened, is_too_long, shortened};
pub use visible_text::{visible, visible_name};
