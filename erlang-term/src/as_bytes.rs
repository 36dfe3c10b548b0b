//! Terms within other data, for `serde`: as bytes in the external term format.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_bytes::{ByteBuf, Bytes};

use crate::decode::decode;
use crate::encode::encode;
use crate::integer::Integer;
use crate::term::Term;

impl Serialize for Term {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Bytes::new(&encode(self)).serialize(serializer)
    }
}

impl<'input> Deserialize<'input> for Term {
    fn deserialize<D: Deserializer<'input>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = ByteBuf::deserialize(deserializer)?;
        decode(&bytes).map_err(D::Error::custom)
    }
}

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Term::Integer(self.clone()).serialize(serializer)
    }
}

impl<'input> Deserialize<'input> for Integer {
    fn deserialize<D: Deserializer<'input>>(deserializer: D) -> Result<Self, D::Error> {
        let Term::Integer(integer) = Term::deserialize(deserializer)? else {
            return Err(D::Error::custom("this is not an integer"));
        };
        Ok(integer)
    }
}
