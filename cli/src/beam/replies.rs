//! Requests to a BEAM and its replies, as packets on pipes.

use std::io::{self, Read, Write};

use erlang_term::{Term, decode, encode};

use super::compiler_message::{Message, parse_messages};

/// An answer: the value, or the errors in the request.
pub type Answer = Result<Term, Vec<Message>>;

/// Replies to a command: any number of parts, then the answer.
#[derive(Debug)]
pub(super) enum Reply {
    Part(Term),
    Answer(Answer),
}

/// Sends a packet.
pub(super) fn send(pipe: &mut impl Write, term: &Term) -> io::Result<()> {
    let bytes = encode(term);
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    pipe.write_all(&length.to_be_bytes())?;
    pipe.write_all(&bytes)?;
    pipe.flush()
}

/// The next reply, with the number of its command; `None` when there are no more.
pub(super) fn receive(output: &mut impl Read) -> Option<(i64, Reply)> {
    let packet = receive_packet(output).ok()?;
    parse_reply(decode(&packet).ok()?)
}

/// The bytes of the next packet.
pub(super) fn receive_packet(output: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    output.read_exact(&mut length)?;
    let length = u64::from(u32::from_be_bytes(length));
    let mut packet = Vec::new();
    // The buffer grows with the data, so a wrong length cannot allocate gigabytes.
    output.take(length).read_to_end(&mut packet)?;
    if packet.len() as u64 == length {
        Ok(packet)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// `{Id, {ok, Value}}`, `{Id, {error, Messages}}` or `{Id, {part, Value}}`.
fn parse_reply(term: Term) -> Option<(i64, Reply)> {
    let Term::Tuple(parts) = term else {
        return None;
    };
    let [id, Term::Tuple(result)] = <[Term; 2]>::try_from(parts).ok()? else {
        return None;
    };
    let [tag, value] = <[Term; 2]>::try_from(result).ok()?;
    let reply = match tag.as_atom()? {
        "ok" => Reply::Answer(Ok(value)),
        "error" => Reply::Answer(Err(parse_messages(&value)?)),
        "part" => Reply::Part(value),
        _ => return None,
    };
    Some((id.as_i64()?, reply))
}
