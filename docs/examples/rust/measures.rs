//! The formulas. A table has a row of class weights for each branch.
use crate::exact::{ONE, Rational, Score, ZERO, sum};
use crate::json::Json;

pub type Weights = Vec<Rational>;

#[derive(Clone, Copy, PartialEq)]
pub enum Impurity {
    Entropy,
    Gini,
    Variance,
}

fn all(counts: &[Rational]) -> Rational {
    sum(counts.iter().copied())
}

/// The weight of a row of a table: that of all classes; of numbers it is the first of weight, sum and sum of squares.
pub fn weight(impurity: Impurity, row: &[Rational]) -> Rational {
    if impurity == Impurity::Variance { row[0] } else { all(row) }
}

pub fn column_sums(rows: &[Weights]) -> Weights {
    (0..rows[0].len()).map(|place| sum(rows.iter().map(|row| row[place]))).collect()
}

fn entropy(counts: &[Rational]) -> Score {
    let n = all(counts);
    let terms = counts.iter().filter(|&&count| count > ZERO);
    terms.fold(Score::default(), |found, &count| found.plus(&Score::log2(n / count), count / n))
}

fn gini(counts: &[Rational]) -> Rational {
    let n = all(counts);
    ONE - sum(counts.iter().map(|&count| count * count / (n * n)))
}

/// The sum of squared errors, of moments.
pub fn squared_error(moments: &[Rational]) -> Rational {
    if moments[0] == ZERO { ZERO } else { moments[2] - moments[1] * moments[1] / moments[0] }
}

impl Impurity {
    pub fn of(self, row: &[Rational]) -> Score {
        match self {
            Impurity::Entropy => entropy(row),
            Impurity::Gini => Score::of(gini(row)),
            Impurity::Variance => Score::of(squared_error(row) / row[0]),
        }
    }

    /// The mean impurity of the branches.
    pub fn left(self, rows: &[Weights]) -> Score {
        let n = sum(rows.iter().map(|row| weight(self, row)));
        let filled = rows.iter().filter(|row| weight(self, row) > ZERO);
        filled.fold(Score::default(), |found, row| found.plus(&self.of(row), weight(self, row) / n))
    }

    pub fn decrease(self, rows: &[Weights]) -> Score {
        self.of(&column_sums(rows)).minus(&self.left(rows))
    }

    /// The decrease among the rows that answer, times their share.
    pub fn decrease_of_known(self, rows: &[Weights], unknown: &[Rational]) -> Score {
        let known = sum(rows.iter().map(|row| weight(self, row)));
        self.decrease(rows).times(known / (known + weight(self, unknown)))
    }
}

fn numbers(list: &Json) -> Weights {
    list.list().iter().map(|one| Rational::parse(one.text())).collect()
}

fn table(list: &Json) -> Vec<Weights> {
    list.list().iter().map(numbers).collect()
}

fn split_information(rows: &[Weights]) -> Score {
    entropy(&rows.iter().map(|row| all(row)).collect::<Weights>())
}

fn joined(rows: &[Weights], place: usize) -> Vec<Weights> {
    let rest: Vec<Weights> = rows.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, row)| row.clone()).collect();
    vec![rows[place].clone(), column_sums(&rest)]
}

/// The variance by n, or by n - 1 where `less` is 1.
fn variance(moments: &[Rational], less: Rational) -> Rational {
    squared_error(moments) / (moments[0] - less)
}

fn absolute_deviation(weights: &[Rational], values: &[Rational]) -> Rational {
    let distance = |one: Rational, other: Rational| if one < other { other - one } else { one - other };
    let from = |middle: Rational| sum(weights.iter().zip(values).map(|(&w, &value)| w * distance(value, middle)));
    values.iter().map(|&middle| from(middle)).min().unwrap_or(ZERO) // a median is one of the numbers
}

/// The answer to a case of a formula, in JSON.
pub fn formula(name: &str, arguments: &[Json]) -> Option<String> {
    use Impurity::{Entropy, Gini};
    let first = &arguments[0];
    let exact = |score: Score| format!("{{\"exact\":{}}}", score.exact());
    let fraction = |number: Rational| exact(Score::of(number));
    Some(match name.rsplit('.').next()? {
        "entropy" => exact(entropy(&numbers(first))),
        "entropy_of_proportion" => {
            let p = Rational::parse(first.text());
            exact(entropy(&[p, ONE - p]))
        }
        "conditional_entropy" => exact(Entropy.left(&table(first))),
        "information_gain" => exact(Entropy.decrease(&table(first))),
        "gain_with_missing" => exact(Entropy.decrease_of_known(&table(first), &numbers(&arguments[1]))),
        "split_information" => exact(split_information(&table(first))),
        "gain_ratio" => {
            let (above, below) = (Entropy.decrease(&table(first)), split_information(&table(first)));
            format!("{{\"exact\":{{\"numerator\":{},\"denominator\":{}}}}}", above.exact(), below.exact())
        }
        "gini" => fraction(gini(&numbers(first))),
        "gini_index" => exact(Gini.left(&table(first))),
        "gini_decrease" => exact(Gini.decrease(&table(first))),
        "binary_gini_index" => exact(Gini.left(&joined(&table(first), arguments[1].text().parse().ok()?))),
        "mean" => fraction(numbers(first)[1] / numbers(first)[0]),
        "variance" => fraction(variance(&numbers(first), ZERO)),
        "sample_variance" => fraction(variance(&numbers(first), ONE)),
        "split_error" => fraction(sum(table(first).iter().map(|row| squared_error(row)))),
        "variance_reduction" => {
            let rows = table(first);
            let less = if matches!(arguments.get(1), Some(Json::Flag(true))) { ONE } else { ZERO };
            let whole = column_sums(&rows);
            let left = sum(rows.iter().map(|row| row[0] / whole[0] * variance(row, less)));
            fraction(variance(&whole, less) - left)
        }
        "absolute_deviation" => fraction(absolute_deviation(&numbers(first), &numbers(&arguments[1]))),
        _ => return None,
    })
}
