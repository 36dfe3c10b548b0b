//! Messages that take their time: between their sends and their deliveries they are in channels, one
//! for each sender and receiver, in order.

use std::collections::VecDeque;

use super::messages::Message;

/// The channels of a run, in the order of their first messages.
#[derive(Debug, Default)]
pub(super) struct Channels {
    all: Vec<Channel>,
}

#[derive(Debug)]
struct Channel {
    from: usize,
    to: usize,
    /// The messages with the events that sent them, the oldest first.
    under_way: VecDeque<Message>,
    /// The last delivery.
    last: Option<usize>,
}

impl Channels {
    fn find(&self, from: usize, to: usize) -> Option<usize> {
        let mut channels = self.all.iter();
        channels.position(|it| (it.from, it.to) == (from, to))
    }

    /// Puts a message into a channel.
    pub(super) fn post(&mut self, from: usize, to: usize, message: Message) {
        let index = self.find(from, to).unwrap_or_else(|| {
            self.all.push(Channel {
                from,
                to,
                under_way: VecDeque::new(),
                last: None,
            });
            self.all.len() - 1
        });
        if let Some(channel) = self.all.get_mut(index) {
            channel.under_way.push_back(message);
        }
    }

    /// The last delivery of a message from one process to another one.
    pub(super) fn last_delivery(&self, from: usize, to: usize) -> Option<usize> {
        self.all.get(self.find(from, to)?)?.last
    }

    /// Takes out the oldest message of a channel, which an event delivers. Returns the number of the
    /// channel too.
    pub(super) fn deliver(
        &mut self,
        from: usize,
        to: usize,
        delivery: usize,
    ) -> Option<(usize, Message)> {
        let index = self.find(from, to)?;
        let channel = self.all.get_mut(index)?;
        let message = channel.under_way.pop_front()?;
        channel.last = Some(delivery);
        Some((index, message))
    }

    /// Sender and receiver of each channel.
    pub(super) fn ends(&self) -> impl Iterator<Item = (usize, usize)> {
        self.all.iter().map(|it| (it.from, it.to))
    }
}
