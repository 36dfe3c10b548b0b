//! Values that are too long for a terminal.

use std::borrow::Cow;

/// How many characters of a value are shown.
const MOST: usize = 200;
/// What stands for the rest.
const CUT: &str = " ... ";

/// A value without its middle, if it is too long.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    let length = text.chars().count();
    if length <= MOST {
        return Cow::Borrowed(text);
    }
    let kept = MOST - CUT.len();
    let first: String = text.chars().take(kept.div_ceil(2)).collect();
    let last: String = text.chars().skip(length - kept / 2).collect();
    Cow::Owned(format!("{first}{CUT}{last}"))
}

/// Whether a value is shown without its middle.
pub(crate) fn is_too_long(text: &str) -> bool {
    matches!(shortened(text), Cow::Owned(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_cut() {
        let short = "é".repeat(200);
        assert_eq!(shortened(&short), short);
        let long = format!("[{}]", "é".repeat(199));
        let cut = shortened(&long);
        assert_eq!(cut.chars().count(), 200);
        assert!(cut.starts_with("[é") && cut.ends_with("é]") && cut.contains("é ... é"));
    }
}
