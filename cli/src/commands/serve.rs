//! `erlconcolic serve`: takes part in searches of other machines.

use crate::arguments::ServeOptions;
use crate::cluster::serve;
use crate::failure::Failure;

pub(crate) fn run(options: &ServeOptions) -> Result<(), Failure> {
    serve(&options.node()?, &options.trust.member(), options.workers)
}
