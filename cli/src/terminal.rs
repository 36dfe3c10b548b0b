//! What the user sees: results, messages, crash reports and paths.

pub(crate) mod crash_report;
pub(crate) mod near_path;
pub(crate) mod printing;
pub(crate) mod render;
pub(crate) mod report_formats;
