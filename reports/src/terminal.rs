//! Text for terminals.

mod code_frames;
mod shortened_text;
mod visible_text;

pub use code_frames::draw_diagnostics;
pub(crate) use shortened_text::{is_too_long, shortened};
pub(crate) use visible_text::is_obeyed;
pub use visible_text::{visible, visible_name};
