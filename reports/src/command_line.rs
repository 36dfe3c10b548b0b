//! A command as a line for a shell.

use std::ffi::OsString;

/// The command that was given, quoted so that it can be pasted into a shell.
pub(crate) fn command_line(arguments: impl IntoIterator<Item = OsString>) -> String {
    let mut words = vec!["erlconcolic".to_owned()];
    words.extend(arguments.into_iter().map(|it| word(&it.to_string_lossy())));
    words.join(" ")
}

fn word(text: &str) -> String {
    let is_safe = |it: char| it.is_alphanumeric() || "_@%+=:,./-".contains(it);
    if !text.is_empty() && text.chars().all(is_safe) {
        return text.to_owned();
    }
    if !text.chars().any(char::is_control) {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    // Only this kind of quotes has escapes for control characters.
    let mut out = "$'".to_owned();
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\'' | '\\' => out.extend(['\\', character]),
            other if other.is_control() => {
                out.push_str(&format!("\\u{:04x}", u32::from(other)));
            }
            other => out.push(other),
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_necessary() {
        let words = ["explore", "a b", "it's", "[{a}]", "x\n-export(all).'", ""];
        assert_eq!(
            command_line(words.map(OsString::from)),
            r"erlconcolic explore 'a b' 'it'\''s' '[{a}]' $'x\n-export(all).\'' ''"
        );
    }
}
