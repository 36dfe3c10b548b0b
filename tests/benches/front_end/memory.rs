//! Memory, as the allocator sees it.

use end_to_end::benchmarks::{Report, Row, Table, counted};
use end_to_end::flat_beams;
use flattener::{flatten, parse_module};

use crate::allocator::peak_of;

/// In smaller modules the fixed cost of a module is too large a part.
const SMALLEST: usize = 100_000;

/// Peaks of parsing, and of everything from text to text, each module by itself.
pub(crate) fn peaks(form: &str, texts: &[String], report: &mut Report) {
    let texts: Vec<&String> = texts.iter().filter(|text| text.len() >= SMALLEST).collect();
    let of_parsing = ratios(&texts, |text| peak_of(|| parse_module(text).is_ok()).0);
    let of_all = ratios(&texts, |text| peak_of_all(text).0);
    report.table(Table {
        title: format!("Peak memory of stdlib's modules {form}"),
        note:
            "Peak of allocated bytes for each byte of text, without the text itself, for modules \
               of 100 kB or more; the mean is over all their bytes."
                .to_owned(),
        rows_are: "work".to_owned(),
        columns: vec![counted("mean").less(), counted("worst module").less()],
        rows: vec![
            Row::new("parse", of_parsing),
            Row::new("parse, flatten and print", of_all),
        ],
    });
}

/// Peak and result of everything from text to text.
pub(crate) fn peak_of_all(text: &str) -> (usize, usize) {
    peak_of(|| {
        let module = parse_module(text).expect("the compiler's text parses");
        let flat = flatten(module).expect("the compiler's text is a program");
        flat_beams::text(&flat).len()
    })
}

/// Bytes per byte of text: mean and worst.
fn ratios(texts: &[&String], peak: impl Fn(&str) -> usize) -> [f64; 2] {
    let peaks: Vec<(usize, usize)> = texts.iter().map(|text| (peak(text), text.len())).collect();
    let (sum, bytes) = peaks.iter().fold((0, 0), |(sum, bytes), (peak, length)| {
        (sum + peak, bytes + length)
    });
    let each = peaks
        .iter()
        .map(|(peak, length)| *peak as f64 / *length as f64);
    [sum as f64 / bytes as f64, each.fold(0.0, f64::max)]
}
