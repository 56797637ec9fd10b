//! What PTX says of the launch of its kernels.

use std::collections::BTreeMap;

/// Threads of a block, by kernel, where its launch bounds say it.
pub fn block_sizes(ptx: &str) -> BTreeMap<String, u32> {
    let mut sizes = BTreeMap::new();
    let mut kernel = None;
    for line in ptx.lines() {
        if let Some((_, rest)) = line.split_once(".entry ") {
            kernel = rest.split(['(', ' ']).next();
        } else if line.starts_with('{') {
            kernel = None;
        } else if let Some(kernel) = kernel {
            let text = line.trim();
            let sides = [".reqntid ", ".maxntid "]
                .iter()
                .find_map(|directive| text.strip_prefix(directive));
            if let Some(threads) = sides.and_then(product) {
                sizes.insert(kernel.to_owned(), threads);
            }
        }
    }
    sizes
}

/// The product of numbers between commas, up to a comment.
fn product(sides: &str) -> Option<u32> {
    let numbers = sides.split("//").next().unwrap_or_default().split(',');
    let mut numbers = numbers.map(|side| side.trim().parse::<u32>());
    numbers
        .try_fold(1u32, |product, side| {
            Some(product.saturating_mul(side.ok()?))
        })
        .filter(|&threads| threads > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_stand_between_name_and_body() {
        let ptx = "\
.visible .entry first(
	.param .u64 p
)
.reqntid 16, 8, 1                       // @first
.maxnreg 64
{
	.reg .b32 	%r<3>;
}
.entry second()
{
.maxntid 32
}
.weak .entry third(
)
.maxntid 256
{
";
        let sizes = block_sizes(ptx);
        assert_eq!(sizes.get("first"), Some(&128));
        assert_eq!(sizes.get("second"), None);
        assert_eq!(sizes.get("third"), Some(&256));
    }
}
