//! A command as one types it in a shell, on one line.

use std::ffi::OsString;

/// The command that was given, so that it can be given again.
pub(super) fn command_line(arguments: impl IntoIterator<Item = OsString>) -> String {
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
    // Control characters have escapes in this kind of quotes only.
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
    fn words_are_quoted_where_they_must_be() {
        let words = ["explore", "a b", "it's", "[{a}]", "x\n-export(all).'", ""];
        assert_eq!(
            command_line(words.map(OsString::from)),
            r"erlconcolic explore 'a b' 'it'\''s' '[{a}]' $'x\n-export(all).\'' ''"
        );
    }
}
