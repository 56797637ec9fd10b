//! The list of all knobs.

use super::{ALLOCATOR_NUMBERS, KNOBS, Knob, Knobs, Origin, Standing};
use std::fmt;

/// The list of all knobs, with number, name, what they take, default and effect.
pub fn help() -> String {
    let mut text = String::from(
        "Knobs of the register allocator, set by name or by number: NAME=VALUE\n\
         \n",
    );
    for knob in KNOBS {
        text += &format!("{knob}\n");
    }
    let (first, last) = (ALLOCATOR_NUMBERS.start(), ALLOCATOR_NUMBERS.end());
    text += &format!(
        "The other knobs of ptxas' register allocation, numbers {first} to {last}, are refused:\n\
         the documents do not say what they do.\n"
    );
    text
}

impl fmt::Display for Knob {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number.map_or("-".into(), |number| number.to_string());
        let default = self.kind.value(Knobs::default());
        writeln!(formatter, "{number:>5}  {}", self.name.unwrap_or("-"))?;
        let mut line = |text: &str| writeln!(formatter, "       {text}");
        line(&format!("takes {}; default {default}", self.kind))?;
        for effect in self.effect {
            line(effect.trim())?;
        }
        if let Origin::Own(reason) = self.origin {
            line(&format!("the default is ours: {reason}"))?;
        }
        match self.standing {
            Standing::Used => Ok(()),
            Standing::Ignored(reason) => line(&format!("accepted, no effect: {reason}")),
        }
    }
}
