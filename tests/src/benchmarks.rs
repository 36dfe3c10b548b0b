//! Shared by all measurements: reports, joining and comparing them, plots, and the unit of time.

mod columns;
mod comparison;
mod joined;
mod plot;
mod report;
mod start_of_erl;

pub use columns::{Better, Column, column, counted};
pub use comparison::{Comparison, NOISE};
pub use joined::{BenchError, Joined};
pub use plot::{Curve, Plot};
pub use report::{Report, Row, Table, Target, bench_folder};
pub use start_of_erl::{Unit, median, start_of_erl};
