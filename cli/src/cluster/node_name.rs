//! Names of nodes.

use std::fmt;
use std::str::FromStr;

/// `NAME@HOST`, or `NAME@HOST:PORT` for a node that is found without epmd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NodeName {
    /// `NAME@HOST`.
    pub(crate) name: String,
    pub(crate) port: Option<u16>,
}

impl NodeName {
    /// The machine.
    pub(crate) fn host(&self) -> &str {
        self.name.split_once('@').map_or("", |it| it.1)
    }

    /// Whether it is a long name, as `erl -name` has it. Such nodes do not connect to others.
    pub(crate) fn is_long(&self) -> bool {
        self.host().contains('.')
    }
}

impl FromStr for NodeName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, rest) = text
            .split_once('@')
            .ok_or_else(|| format!("`{text}` has no @: a node is NAME@HOST"))?;
        let (host, port) = match rest.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (rest, None),
        };
        let is_plain = |text: &str, more: &str| {
            let is_fine = |it: char| it.is_ascii_alphanumeric() || more.contains(it);
            !text.is_empty() && text.chars().all(is_fine)
        };
        if !is_plain(name, "_-.") || !is_plain(host, "_-.") || text.len() > 255 {
            return Err(format!(
                "`{text}` is not NAME@HOST with letters, digits, `_`, `-` and `.`"
            ));
        }
        let port = match port.map(str::parse) {
            None => None,
            Some(Ok(0) | Err(_)) => return Err(format!("`{text}` has no port from 1 to 65535")),
            Some(Ok(port)) => Some(port),
        };
        Ok(Self {
            name: format!("{name}@{host}"),
            port,
        })
    }
}

impl fmt::Display for NodeName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_host_and_perhaps_a_port() {
        let parse = |text: &str| text.parse::<NodeName>();
        let name = parse("w1@host.example:4711").expect("it is a name");
        assert_eq!(
            (name.name.as_str(), name.port),
            ("w1@host.example", Some(4711))
        );
        assert_eq!((name.host(), name.is_long()), ("host.example", true));
        let name = parse("w-2@host").expect("it is a name");
        assert_eq!(
            (name.host(), name.is_long(), name.port),
            ("host", false, None)
        );
        for bad in [
            "w1",
            "@host",
            "w1@",
            "w 1@host",
            "a@b@c",
            "w@h:0",
            "w@h:x",
            "w@h:70000",
            "",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
