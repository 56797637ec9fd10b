//! Keeps panics on our side of the boundary, and quiet.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work`; a panic in it becomes an error with its message and place.
///
/// The panic hook prints nothing for a panic that is caught here: the caller
/// makes a diagnostic of it.
/// Panics of other threads and elsewhere in the process keep their hook.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    install_hook();
    let outer = CATCHING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(outer);
    result.map_err(|_| {
        let message = MESSAGE.take();
        message.unwrap_or_else(|| "panic without a message".into())
    })
}

fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !CATCHING.get() {
                return previous(info);
            }
            let payload = info.payload();
            let text = payload
                .downcast_ref::<&str>()
                .copied()
                .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
                .unwrap_or("panic without a message");
            let place = info
                .location()
                .map(|place| format!(" ({}:{})", place.file(), place.line()))
                .unwrap_or_default();
            MESSAGE.set(Some(format!("{text}{place}")));
        }));
    });
}
