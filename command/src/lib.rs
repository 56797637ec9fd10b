//! What the commands share: where the plugin and the programs of others are.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod find;
