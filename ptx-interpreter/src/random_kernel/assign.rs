//! Expressions: what a variable may become.

use super::Generator;
use super::text::{Body, Kind};

impl Generator {
    /// The value of a variable of the type; there is always one.
    pub(super) fn operand(&mut self, body: &Body, kind: Kind) -> String {
        let of_kind = body.variables.iter().filter(|v| v.kind == kind);
        let of_kind: Vec<_> = of_kind.collect();
        let at = self.below(of_kind.len() as u64) as usize;
        of_kind[at].value.clone()
    }

    /// The same, but another value than that: a value less itself tells nothing of
    /// the value.
    fn operand_but(&mut self, body: &Body, kind: Kind, but: &str) -> String {
        let others = body.variables.iter();
        let others = others.filter(|v| v.kind == kind && v.value != but);
        let others: Vec<_> = others.map(|v| v.value.clone()).collect();
        match (others.as_slice(), kind) {
            ([], Kind::I1) => "true".to_owned(),
            ([], Kind::F32 | Kind::F64) => "1.5".to_owned(),
            ([], _) => (self.odd() & 0x7fff).to_string(),
            (others, _) => others[self.below(others.len() as u64) as usize].clone(),
        }
    }

    /// A value of the type made from 32-bit integers, of which there is always one.
    pub(super) fn converted(&mut self, body: &mut Body, kind: Kind) -> String {
        let from = self.operand(body, Kind::I32);
        let factor = self.odd();
        let mixed = body.value(format_args!("mul i32 {from}, {factor}"));
        match kind {
            Kind::I32 => mixed,
            Kind::I64 => {
                let other = self.operand(body, Kind::I32);
                let high = body.value(format_args!("zext i32 {mixed} to i64"));
                let high = body.value(format_args!("shl i64 {high}, 32"));
                let low = body.value(format_args!("zext i32 {other} to i64"));
                body.value(format_args!("or i64 {high}, {low}"))
            }
            Kind::I16 => body.value(format_args!("trunc i32 {mixed} to i16")),
            Kind::I1 => body.value(format_args!("icmp slt i32 {mixed}, {factor}")),
            Kind::F32 | Kind::F64 => {
                let small = body.value(format_args!("ashr i32 {mixed}, 12"));
                let whole = body.value(format_args!("sitofp i32 {small} to {kind}"));
                body.value(format_args!("fmul {kind} {whole}, 0.0625"))
            }
        }
    }

    fn odd(&mut self) -> i32 {
        self.below(1 << 31) as i32 | 1
    }

    /// What a variable of the type becomes, from what it is and from others.
    pub(super) fn changed(&mut self, body: &mut Body, kind: Kind, old: &str) -> String {
        match kind {
            Kind::I1 => self.changed_predicate(body, old),
            Kind::F32 | Kind::F64 => self.changed_float(body, kind, old),
            _ => self.changed_integer(body, kind, old),
        }
    }

    fn changed_integer(&mut self, body: &mut Body, kind: Kind, old: &str) -> String {
        let other = self.any_integer(body, kind, old);
        let op = self.pick(&["add", "sub", "xor", "add"]);
        match self.below(6) {
            0 => {
                let double = body.value(format_args!("shl {kind} {other}, 1"));
                let factor = body.value(format_args!("or {kind} {double}, 1"));
                body.value(format_args!("mul {kind} {old}, {factor}"))
            }
            1 => {
                let factor = self.odd() & 0x7fff;
                let product = body.value(format_args!("mul {kind} {old}, {factor}"));
                body.value(format_args!("{op} {kind} {product}, {other}"))
            }
            2 if kind != Kind::I16 => {
                let by = 1 + self.below(kind.bits() - 1);
                let suffix = kind.suffix();
                let turned = body.value(format_args!(
                    "call {kind} @llvm.fshl.{suffix}({kind} {old}, {kind} {old}, {kind} {by})"
                ));
                body.value(format_args!("{op} {kind} {turned}, {other}"))
            }
            3 => {
                let choose = self.operand(body, Kind::I1);
                let third = self.operand_but(body, kind, old);
                let chosen = body.value(format_args!(
                    "select i1 {choose}, {kind} {other}, {kind} {third}"
                ));
                body.value(format_args!("{op} {kind} {old}, {chosen}"))
            }
            _ => body.value(format_args!("{op} {kind} {old}, {other}")),
        }
    }

    /// An integer of the type, made of other variables than one.
    fn any_integer(&mut self, body: &mut Body, kind: Kind, but: &str) -> String {
        let x = self.operand_but(body, kind, but);
        let suffix = kind.suffix();
        let shift = self.below(kind.bits());
        match self.below(15) {
            0 if kind != Kind::I16 => {
                body.value(format_args!("call {kind} @llvm.ctpop.{suffix}({kind} {x})"))
            }
            1 if kind != Kind::I16 => body.value(format_args!(
                "call {kind} @llvm.ctlz.{suffix}({kind} {x}, i1 false)"
            )),
            2 if kind != Kind::I16 => body.value(format_args!(
                "call {kind} @llvm.bitreverse.{suffix}({kind} {x})"
            )),
            3 if kind != Kind::I16 => {
                let y = self.operand_but(body, kind, &x);
                let name = self.pick(&["smax", "umin"]);
                body.value(format_args!(
                    "call {kind} @llvm.{name}.{suffix}({kind} {x}, {kind} {y})"
                ))
            }
            4 => {
                let op = self.pick(&["lshr", "ashr", "shl"]);
                body.value(format_args!("{op} {kind} {x}, {shift}"))
            }
            5 => {
                let y = self.operand(body, kind);
                let small = body.value(format_args!("and {kind} {y}, 255"));
                let divisor = body.value(format_args!("add {kind} {small}, 1"));
                let op = self.pick(&["udiv", "urem", "sdiv", "srem"]);
                body.value(format_args!("{op} {kind} {x}, {divisor}"))
            }
            6 => {
                let choose = self.operand(body, Kind::I1);
                body.value(format_args!("zext i1 {choose} to {kind}"))
            }
            7..10 => self.integer_of_another_type(body, kind),
            _ => x,
        }
    }

    fn integer_of_another_type(&mut self, body: &mut Body, kind: Kind) -> String {
        let extend = self.pick(&["zext", "sext"]);
        match (kind, self.below(3)) {
            (Kind::I32, 0) => {
                let x = self.operand(body, Kind::I64);
                let shift = self.below(33);
                let high = body.value(format_args!("lshr i64 {x}, {shift}"));
                body.value(format_args!("trunc i64 {high} to i32"))
            }
            (Kind::I32, 1) => {
                let x = self.operand(body, Kind::F32);
                body.value(format_args!("bitcast float {x} to i32"))
            }
            (Kind::I32, _) => {
                let x = self.operand(body, Kind::I16);
                body.value(format_args!("{extend} i16 {x} to i32"))
            }
            (Kind::I64, 0) => {
                let x = self.operand(body, Kind::F64);
                body.value(format_args!("bitcast double {x} to i64"))
            }
            (Kind::I64, 1) => {
                let [x, y] = [(); 2].map(|()| self.operand(body, Kind::I32));
                let x = body.value(format_args!("{extend} i32 {x} to i64"));
                let y = body.value(format_args!("{extend} i32 {y} to i64"));
                body.value(format_args!("mul i64 {x}, {y}"))
            }
            (Kind::I64, _) => {
                let x = self.operand(body, Kind::F64);
                body.value(format_args!("fptosi double {x} to i64"))
            }
            _ => {
                let x = self.operand(body, Kind::I32);
                let shift = self.below(17);
                let high = body.value(format_args!("lshr i32 {x}, {shift}"));
                body.value(format_args!("trunc i32 {high} to {kind}"))
            }
        }
    }

    /// Numbers stay below 2^20: a result is a mean of the old value and another
    /// operand that is, or something smaller.
    fn changed_float(&mut self, body: &mut Body, kind: Kind, old: &str) -> String {
        let other = self.any_float(body, kind, old);
        match self.below(5) {
            0 => {
                let half = body.value(format_args!("fmul {kind} {other}, 0.375"));
                let suffix = kind.suffix();
                body.value(format_args!(
                    "call {kind} @llvm.fma.{suffix}({kind} {old}, {kind} 0.625, {kind} {half})"
                ))
            }
            1 => {
                let sum = body.value(format_args!("fsub {kind} {old}, {other}"));
                body.value(format_args!("fmul {kind} {sum}, 0.5"))
            }
            2 => {
                let choose = self.operand(body, Kind::I1);
                let third = self.operand_but(body, kind, old);
                let chosen = body.value(format_args!(
                    "select i1 {choose}, {kind} {other}, {kind} {third}"
                ));
                let sum = body.value(format_args!("fadd {kind} {old}, {chosen}"));
                body.value(format_args!("fmul {kind} {sum}, 0.5"))
            }
            _ => {
                let part = body.value(format_args!("fmul {kind} {other}, 0.25"));
                let own = body.value(format_args!("fmul {kind} {old}, 0.75"));
                body.value(format_args!("fadd {kind} {own}, {part}"))
            }
        }
    }

    fn any_float(&mut self, body: &mut Body, kind: Kind, but: &str) -> String {
        let x = self.operand_but(body, kind, but);
        let suffix = kind.suffix();
        match self.below(9) {
            0 => {
                let y = self.operand(body, kind);
                let y = body.value(format_args!("call {kind} @llvm.fabs.{suffix}({kind} {y})"));
                let divisor = body.value(format_args!("fadd {kind} {y}, 1.0"));
                body.value(format_args!("fdiv {kind} {x}, {divisor}"))
            }
            1 => {
                let x = body.value(format_args!("call {kind} @llvm.fabs.{suffix}({kind} {x})"));
                body.value(format_args!("call {kind} @llvm.sqrt.{suffix}({kind} {x})"))
            }
            2 => {
                let y = self.operand_but(body, kind, &x);
                body.value(format_args!(
                    "call {kind} @llvm.minnum.{suffix}({kind} {x}, {kind} {y})"
                ))
            }
            3 => body.value(format_args!("fneg {kind} {x}")),
            4 if kind == Kind::F32 => {
                let x = self.operand(body, Kind::F64);
                body.value(format_args!("fptrunc double {x} to float"))
            }
            4 => {
                let x = self.operand(body, Kind::F32);
                body.value(format_args!("fpext float {x} to double"))
            }
            5 | 6 => self.converted(body, kind),
            _ => x,
        }
    }

    fn changed_predicate(&mut self, body: &mut Body, old: &str) -> String {
        let new = self.comparison(body);
        match self.below(4) {
            0 => new,
            1 => {
                let op = self.pick(&["and", "or"]);
                let other = self.operand_but(body, Kind::I1, old);
                let both = body.value(format_args!("{op} i1 {new}, {other}"));
                body.value(format_args!("xor i1 {old}, {both}"))
            }
            _ => body.value(format_args!("xor i1 {old}, {new}")),
        }
    }

    /// A predicate that is as often true as false.
    pub(super) fn comparison(&mut self, body: &mut Body) -> String {
        let kind = self.pick(&[
            Kind::I32,
            Kind::I64,
            Kind::F32,
            Kind::F64,
            Kind::I32,
            Kind::I64,
        ]);
        let x = self.operand(body, kind);
        let y = self.operand_but(body, kind, &x);
        if kind.is_float() {
            let how = self.pick(&["olt", "ogt", "ole", "uge"]);
            body.value(format_args!("fcmp {how} {kind} {x}, {y}"))
        } else if !self.once_in(3) {
            let bit = 1u64 << self.below(31);
            let tested = body.value(format_args!("and {kind} {x}, {bit}"));
            body.value(format_args!("icmp ne {kind} {tested}, 0"))
        } else {
            let how = self.pick(&["slt", "ugt", "sge", "ule"]);
            body.value(format_args!("icmp {how} {kind} {x}, {y}"))
        }
    }

    /// All variables in one value of the type.
    pub(super) fn mixed(&mut self, body: &mut Body, kind: Kind) -> String {
        for wanted in Kind::ALL {
            let mut all = body.variables.clone().into_iter();
            let Some(first) = all.find(|v| v.kind == wanted) else {
                continue;
            };
            let mut sum = first.value;
            for next in all.filter(|v| v.kind == wanted) {
                sum = match wanted.is_float() {
                    true => {
                        let sum = body.value(format_args!("fsub {wanted} {sum}, {}", next.value));
                        body.value(format_args!("fmul {wanted} {sum}, 0.5"))
                    }
                    false => body.value(format_args!("xor {wanted} {sum}, {}", next.value)),
                };
            }
            let at = body.variables.iter().position(|v| v.kind == wanted);
            body.variables[at.expect("found before")].value = sum;
        }
        let first = |kind: Kind| {
            let found = body.variables.iter().find(|v| v.kind == kind);
            found.map_or(String::new(), |v| v.value.clone())
        };
        let (float, double, long, short, bit, word) = (
            first(Kind::F32),
            first(Kind::F64),
            first(Kind::I64),
            first(Kind::I16),
            first(Kind::I1),
            first(Kind::I32),
        );
        let float = body.value(format_args!("bitcast float {float} to i32"));
        let double = body.value(format_args!("bitcast double {double} to i64"));
        let long = body.value(format_args!("xor i64 {long}, {double}"));
        let high = body.value(format_args!("lshr i64 {long}, 29"));
        let long = body.value(format_args!("xor i64 {long}, {high}"));
        let long = body.value(format_args!("trunc i64 {long} to i32"));
        let short = body.value(format_args!("sext i16 {short} to i32"));
        let bit = body.value(format_args!("sext i1 {bit} to i32"));
        let mut sum = word;
        for other in [float, long, short, bit] {
            sum = body.value(format_args!("add i32 {sum}, {other}"));
            // Into the high bits, of which a float is made.
            sum = body.value(format_args!("mul i32 {sum}, 1640531527"));
        }
        let at = body.variables.iter().position(|v| v.kind == Kind::I32);
        body.variables.truncate(at.map_or(0, |at| at + 1));
        if let Some(last) = body.variables.last_mut() {
            last.value = sum.clone();
        }
        match kind {
            Kind::I32 => sum,
            Kind::I64 => body.value(format_args!("sext i32 {sum} to i64")),
            _ => {
                let small = body.value(format_args!("ashr i32 {sum}, 12"));
                body.value(format_args!("sitofp i32 {small} to {kind}"))
            }
        }
    }
}
