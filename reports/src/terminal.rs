//! Text for terminals.

mod code_frames;
mod visible_text;

pub use code_frames::draw_diagnostics;
pub use visible_text::{visible, visible_name};
