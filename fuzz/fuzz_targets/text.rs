//! Any text is read as a problem or refused with a message. What is read is
//! printed in a form that reads back equal, and is allocated or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use passes::error::Error;
use passes::function::text;
use passes::settings::Settings;

fuzz_target!(|input: &str| {
    let Ok((machine, function)) = text::parse(input) else {
        return;
    };
    let printed = text::print(&machine, &function);
    let (machine, function) = text::parse(&printed).expect("what is printed can be read");
    assert_eq!(text::print(&machine, &function), printed);
    let settings = Settings {
        verify: true,
        ..Settings::default()
    };
    // The checker refuses what reads a register that nothing wrote.
    if let Err(error @ Error::Malformed(_)) = passes::allocate(&function, &machine, &settings) {
        panic!("{error}");
    }
});
