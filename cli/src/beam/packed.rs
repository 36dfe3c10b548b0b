//! Parts of runs as bytes, for `serde`.

/// The logs of processes.
pub(super) mod logs {
    use serde::{Deserialize, Deserializer, Serializer};
    use serde_bytes::{ByteBuf, Bytes};

    pub(in crate::beam) fn serialize<S: Serializer>(
        logs: &[Vec<u8>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(logs.iter().map(|log| Bytes::new(log)))
    }

    pub(in crate::beam) fn deserialize<'input, D: Deserializer<'input>>(
        deserializer: D,
    ) -> Result<Vec<Vec<u8>>, D::Error> {
        let logs = Vec::<ByteBuf>::deserialize(deserializer)?;
        Ok(logs.into_iter().map(ByteBuf::into_vec).collect())
    }
}

/// Who took how many steps.
pub(super) mod leases {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_bytes::{ByteBuf, Bytes};
    use trace_format::{TakenLease, decode_leases, encode_leases};

    pub(in crate::beam) fn serialize<S: Serializer>(
        leases: &[TakenLease],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Bytes::new(&encode_leases(leases)).serialize(serializer)
    }

    pub(in crate::beam) fn deserialize<'input, D: Deserializer<'input>>(
        deserializer: D,
    ) -> Result<Vec<TakenLease>, D::Error> {
        let bytes = ByteBuf::deserialize(deserializer)?;
        decode_leases(&bytes).map_err(D::Error::custom)
    }
}
