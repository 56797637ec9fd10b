//! Dumps: all that the pipeline reads, as text, so that another process does the same.
//!
//! ```text
//! settings {"pressure_limit":32}
//! input {"is_profiled":false,"gpu":{"sm":90, ...}}
//! machine gpu limit=255
//! function saxpy kernel
//! ...
//! ```
//!
//! Machine and function are in the format of [`crate::function::text`]; what is known
//! besides, and the settings, are JSON, each on a line of its own in front of them: what
//! is not the default. Without these lines a text stands for a function of which nothing
//! else is known, and the default settings. Linear.

use super::narrow::Halves;
use super::{Gpu, Input};
use crate::function::text::{self, ParseError};
use crate::function::{Block, Function, Instruction, OperandIndex};
use crate::launch::LaunchBounds;
use crate::launch::call_graph::Caller;
use crate::machine::streaming_multiprocessor::StreamingMultiprocessor;
use crate::prediction::calls::{CallSites, Callee};
use crate::prediction::expansion::Expansions;
use crate::prediction::meaning::{Meanings, Texts};
use crate::schedule::Dependences;
use crate::settings::Settings;
use cranelift_entity::{EntityRef, SecondaryMap};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// How the lines in front begin.
const SETTINGS: &str = "settings ";
const INPUT: &str = "input ";

/// An [`Input`] but for its machine and function.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Besides {
    is_profiled: bool,
    /// Numbers of blocks.
    taken_if_equal: Vec<(u32, u32)>,
    /// Numbers of instructions.
    dependences: Option<Vec<(u32, u32)>>,
    /// Numbers of instructions and products.
    products: Vec<(u32, u32)>,
    gpu: Option<OnGpu>,
}

/// A [`Gpu`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OnGpu {
    /// The version of the SM.
    sm: u32,
    launch: LaunchBounds,
    callers: Vec<Caller>,
    #[serde(with = "sparse")]
    halves: Halves,
    #[serde(with = "sparse")]
    expansions: Expansions,
    #[serde(with = "sparse")]
    meanings: Meanings,
    #[serde(with = "sparse")]
    addresses: SecondaryMap<OperandIndex, bool>,
    #[serde(with = "sparse")]
    callees: SecondaryMap<Instruction, Option<Callee>>,
    pointees: BTreeSet<String>,
    moves_registers: bool,
}

/// The text of an input and of the settings it is compiled with.
///
/// # Panics
/// If the function is not valid for the machine.
pub fn print(input: &Input, settings: &Settings) -> String {
    let dependences = input.dependences.as_ref();
    let besides = Besides {
        is_profiled: input.is_profiled,
        taken_if_equal: numbers(&input.taken_if_equal),
        dependences: dependences.map(|one| numbers(one.pairs())),
        products: dependences.map_or_else(Vec::new, |one| {
            let products = one.products().iter();
            products
                .map(|&(one, product)| (one.as_u32(), product))
                .collect()
        }),
        gpu: input.gpu.clone().map(|gpu| OnGpu {
            sm: gpu.sm.version,
            launch: gpu.launch,
            callers: gpu.callers,
            halves: gpu.halves,
            expansions: gpu.texts.expansions,
            meanings: gpu.texts.meanings,
            addresses: gpu.texts.addresses,
            callees: gpu.texts.calls.callees,
            pointees: gpu.texts.calls.pointees,
            moves_registers: gpu.moves_registers,
        }),
    };
    let line = |prefix: &str, own: Value, default: Value| match difference(own, &default) {
        Some(differing) => format!("{prefix}{differing}\n"),
        None => String::new(),
    };
    let settings = line(SETTINGS, to_value(settings), to_value(&Settings::default()));
    let besides = line(INPUT, to_value(&besides), to_value(&Besides::default()));
    let rest = text::print(&input.machine, &input.function);
    format!("{settings}{besides}{rest}")
}

/// The numbers of pairs of instructions or blocks.
fn numbers<T: EntityRef>(pairs: &[(T, T)]) -> Vec<(u32, u32)> {
    let number = |one: T| one.index() as u32;
    let numbers = pairs
        .iter()
        .map(|&(first, second)| (number(first), number(second)));
    numbers.collect()
}

/// Reads such a text.
///
/// # Errors
/// What is wrong with it, and where.
pub fn parse(text: &str) -> Result<(Input, Settings), ParseError> {
    let mut settings = Settings::default();
    let mut besides = Besides::default();
    // Lines keep their numbers, for messages.
    let mut rest = String::with_capacity(text.len());
    for (number, line) in text.lines().enumerate() {
        if let Some(json) = line.strip_prefix(SETTINGS) {
            let given = from_json(json, number, SETTINGS)?;
            let whole = merged(to_value(&settings), given);
            settings = from_value(whole).map_err(|message| error(number, message))?;
        } else if let Some(json) = line.strip_prefix(INPUT) {
            let given = from_json(json, number, INPUT)?;
            let whole = merged(to_value(&besides), given);
            besides = from_value(whole).map_err(|message| error(number, message))?;
        } else {
            rest += line;
        }
        rest.push('\n');
    }
    let (machine, function) = text::parse(&rest)?;
    let dependences = besides
        .dependences
        .map(|pairs| dependences(&function, &pairs, &besides.products));
    let gpu = besides.gpu.map(|gpu| Gpu {
        sm: StreamingMultiprocessor::nearest(gpu.sm),
        launch: gpu.launch,
        callers: gpu.callers,
        halves: gpu.halves,
        texts: Texts {
            expansions: gpu.expansions,
            meanings: gpu.meanings,
            addresses: gpu.addresses,
            calls: CallSites {
                callees: gpu.callees,
                pointees: gpu.pointees,
            },
        },
        moves_registers: gpu.moves_registers,
    });
    let blocks = |(from, to)| (Block::from_u32(from), Block::from_u32(to));
    let input = Input {
        function,
        machine,
        is_profiled: besides.is_profiled,
        taken_if_equal: besides.taken_if_equal.iter().copied().map(blocks).collect(),
        dependences: dependences.transpose()?,
        gpu,
    };
    Ok((input, settings))
}

fn dependences(
    function: &Function,
    pairs: &[(u32, u32)],
    products: &[(u32, u32)],
) -> Result<Dependences, ParseError> {
    let number = Instruction::from_u32;
    let pairs = pairs.iter();
    let pairs = pairs.map(|&(first, second)| (number(first), number(second)));
    let dependences = Dependences::new(function, pairs.collect());
    let dependences = dependences.map_err(|(first, second)| {
        error(
            0,
            format!("{first} and {second} do not follow each other in one block"),
        )
    });
    let products = products.iter();
    let products = products.map(|&(one, product)| (number(one), product));
    Ok(dependences?.with_products(products.collect()))
}

fn to_value(of: &impl Serialize) -> Value {
    serde_json::to_value(of).expect("maps have keys that are texts, and numbers are finite")
}

fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

fn from_json<T: DeserializeOwned>(json: &str, line: usize, prefix: &str) -> Result<T, ParseError> {
    serde_json::from_str(json).map_err(|found| ParseError {
        line: line + 1,
        column: prefix.len() + found.column(),
        message: found.to_string(),
    })
}

fn error(line: usize, message: String) -> ParseError {
    ParseError {
        line: line + 1,
        column: 1,
        message,
    }
}

/// What of a value is not in another one; none if they are the same.
fn difference(value: Value, default: &Value) -> Option<Value> {
    match (value, default) {
        (Value::Object(own), Value::Object(other)) => {
            let own = own.into_iter();
            let differing = own.filter_map(|(key, value)| {
                let found = match other.get(&key) {
                    Some(other) => difference(value, other)?,
                    None => value,
                };
                Some((key, found))
            });
            let differing: Map<_, _> = differing.collect();
            (!differing.is_empty()).then_some(Value::Object(differing))
        }
        (own, other) => (own != *other).then_some(own),
    }
}

/// A value with what another has of it instead.
fn merged(default: Value, given: Value) -> Value {
    match (default, given) {
        (Value::Object(mut whole), Value::Object(given)) => {
            for (key, value) in given {
                let before = whole.remove(&key).unwrap_or(Value::Null);
                whole.insert(key, merged(before, value));
            }
            Value::Object(whole)
        }
        (_, given) => given,
    }
}

/// Maps as lists: the numbers of entities and what they have, where that is not the default.
mod sparse {
    use cranelift_entity::{EntityRef, SecondaryMap};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<K, V, S>(map: &SecondaryMap<K, V>, serializer: S) -> Result<S::Ok, S::Error>
    where
        K: EntityRef,
        V: Clone + Default + PartialEq + Serialize,
        S: Serializer,
    {
        let default = V::default();
        let differing = map.iter().filter(|(_, value)| **value != default);
        serializer.collect_seq(differing.map(|(key, value)| (key.index(), value)))
    }

    pub fn deserialize<'de, K, V, D>(deserializer: D) -> Result<SecondaryMap<K, V>, D::Error>
    where
        K: EntityRef,
        V: Clone + Default + Deserialize<'de>,
        D: Deserializer<'de>,
    {
        let listed: Vec<(u32, V)> = Vec::deserialize(deserializer)?;
        let mut map = SecondaryMap::new();
        for (number, value) in listed {
            map[K::new(number as usize)] = value;
        }
        Ok(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::examples::live_across;
    use crate::machine::gpu;
    use crate::pipeline::compile;
    use crate::prediction::expansion::Expansion;
    use crate::prediction::meaning::Form;
    use crate::settings::{Pass, Profile};

    fn input() -> Input {
        let mut texts = Texts::default();
        texts.expansions[Instruction::from_u32(3)] = Some(Expansion::Shuffle);
        texts.meanings[Instruction::from_u32(5)].form = Some(Form::Sum);
        let function = live_across(40, 20);
        let pair = (Instruction::from_u32(2), Instruction::from_u32(7));
        let dependences = Dependences::new(&function, vec![pair]).expect("they are in order");
        let dependences = dependences.with_products(vec![(Instruction::from_u32(3), 1)]);
        Input {
            machine: gpu::machine(gpu::R_SIZE),
            is_profiled: true,
            taken_if_equal: vec![(Block::from_u32(1), Block::from_u32(0))],
            dependences: Some(dependences),
            gpu: Some(Gpu {
                sm: StreamingMultiprocessor::nearest(86),
                launch: LaunchBounds {
                    most_threads: Some(96),
                    dimensions: Some([32, 3, 1]),
                    ..LaunchBounds::default()
                },
                callers: vec![Caller {
                    name: "a \"kernel\" # of sorts".into(),
                    launch: LaunchBounds::default(),
                }],
                halves: Halves::default(),
                texts,
                moves_registers: true,
            }),
            function,
        }
    }

    /// All settings that are not the default come back, and nothing else.
    #[test]
    fn what_is_read_prints_the_same() {
        let sm = StreamingMultiprocessor::nearest(86);
        for profile in [Profile::Auto, Profile::Ptxas, Profile::Cicc] {
            let mut settings = profile.settings(Some(sm)).without(Pass::Hints);
            settings.pressure_limit = Some(24);
            settings.knobs.discard_threshold = 30;
            settings.coalescing_factor = 0.1 + 0.2;
            let text = print(&input(), &settings);
            let (read, settings_read) = parse(&text).expect("it is well-formed");
            assert_eq!(settings_read, settings);
            assert_eq!(print(&read, &settings_read), text);
        }
        let plain = print(&input(), &Settings::default());
        assert!(plain.starts_with("input {"), "{plain}");
    }

    #[test]
    fn what_is_read_compiles_to_the_same() {
        let settings = Settings {
            pressure_limit: Some(24),
            ..Settings::default()
        };
        let text = print(&input(), &settings);
        let (read, settings_read) = parse(&text).expect("it is well-formed");
        let [own, read] = [(input(), &settings), (read, &settings_read)]
            .map(|(input, settings)| compile(input, settings).expect("an allocation"));
        assert_eq!(own.allocation, read.allocation);
        assert_eq!(own.order, read.order);
        assert_eq!(own.budget, read.budget);
        assert!(own.allocation.statistics.prediction.is_some());
    }

    #[test]
    fn mistakes_have_a_place() {
        let place = |text: &str| {
            let error = parse(text).expect_err("it is wrong");
            (error.line, error.column > 0)
        };
        assert_eq!(place("settings {\"nothing\":1}\n"), (1, true));
        assert_eq!(place("settings {\nmachine gpu\n"), (1, true));
        assert_eq!(place("\ninput {\"is_profiled\":3}\n"), (2, true));
        let text = print(&input(), &Settings::default());
        let block = text.lines().position(|line| line.starts_with("block"));
        let wrong = text.replace("block b0", "block b7");
        assert_eq!(place(&wrong).0, block.expect("there is one") + 1);
        let backwards = text.replace("[[2,7]]", "[[7,2]]");
        assert_eq!(place(&backwards), (1, true));
    }
}
