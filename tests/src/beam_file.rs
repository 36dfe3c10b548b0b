//! The chunks of a compiled module: an IFF file of the form `FOR1`.

use std::collections::BTreeMap;

/// The chunks of a module by their names.
///
/// # Panics
/// When the bytes are not a compiled module.
pub fn chunks(beam: &[u8]) -> BTreeMap<String, &[u8]> {
    let (header, mut rest) = beam.split_at_checked(12).expect("a header");
    assert!(header.starts_with(b"FOR1") && header.ends_with(b"BEAM"));
    let mut chunks = BTreeMap::new();
    while let Some((name, behind)) = rest.split_at_checked(4) {
        let (length, content) = behind.split_first_chunk().expect("a length");
        let length = u32::from_be_bytes(*length) as usize;
        let name = String::from_utf8_lossy(name).into_owned();
        chunks.insert(name, content.get(..length).expect("a whole chunk"));
        // Chunks begin at multiples of four.
        rest = content.get(length.next_multiple_of(4)..).unwrap_or(&[]);
    }
    chunks
}

/// The names of the chunks in which two compiled modules differ.
pub fn differing_chunks(one: &[u8], other: &[u8]) -> Vec<String> {
    let (one, other) = (chunks(one), chunks(other));
    let names = one.keys().chain(other.keys());
    let mut differing: Vec<String> = names
        .filter(|name| one.get(*name) != other.get(*name))
        .cloned()
        .collect();
    differing.sort_unstable();
    differing.dedup();
    differing
}
