//! Exact numbers: fractions, and sums of logarithms.
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::{Add, Div, Mul, Sub};

/// A fraction in lowest terms. An overflow ends the program; it never rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rational(pub i128, pub i128);

pub const ZERO: Rational = Rational(0, 1);
pub const ONE: Rational = Rational(1, 1);

impl Rational {
    pub fn new(above: i128, below: i128) -> Self {
        let (mut a, mut b) = (above, below);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let common = if (below < 0) == (a < 0) { a } else { -a };
        Rational(above / common, below / common)
    }

    /// The number of a text: an integer, a decimal or p/q.
    pub fn parse(text: &str) -> Self {
        if let Some((above, below)) = text.split_once('/') {
            return Self::parse(above) / Self::parse(below);
        }
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits: i128 = format!("{whole}{part}").parse().expect("a number");
        Rational::new(digits, 10_i128.pow(part.len() as u32))
    }

    pub fn text(self) -> String {
        if self.1 == 1 { self.0.to_string() } else { format!("{}/{}", self.0, self.1) }
    }
}

impl Add for Rational {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let Rational(ours, theirs) = Rational::new(self.1, other.1);
        Rational::new(self.0 * theirs + other.0 * ours, self.1 * theirs)
    }
}

impl Sub for Rational {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + Rational(-other.0, other.1)
    }
}

impl Mul for Rational {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (left, right) = (Rational::new(self.0, other.1), Rational::new(other.0, self.1));
        Rational(left.0 * right.0, left.1 * right.1)
    }
}

impl Div for Rational {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self * Rational::new(other.1, other.0)
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        (*self - *other).0.cmp(&0)
    }
}

pub fn sum(numbers: impl IntoIterator<Item = Rational>) -> Rational {
    numbers.into_iter().fold(ZERO, |all, one| all + one)
}

/// A sum of c · log2 p over primes p. The logarithms of primes are independent over the fractions, so it is 0 exactly if
/// every c is. A fraction is c · log2 2.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Score(BTreeMap<i128, Rational>);

impl Score {
    pub fn of(number: Rational) -> Self {
        Score::default().plus(&Score(BTreeMap::from([(2, ONE)])), number)
    }

    /// The logarithm of a number above 0.
    pub fn log2(number: Rational) -> Self {
        let mut found = Score::default();
        for (mut rest, sign) in [(number.0, ONE), (number.1, ZERO - ONE)] {
            let mut prime = 2;
            while rest > 1 {
                if prime * prime > rest {
                    prime = rest;
                }
                while rest % prime == 0 {
                    found = found.plus(&Score(BTreeMap::from([(prime, ONE)])), sign);
                    rest /= prime;
                }
                prime += 1;
            }
        }
        found
    }

    /// This and so many times another.
    pub fn plus(mut self, other: &Score, times: Rational) -> Self {
        for (&prime, &one) in &other.0 {
            let all = *self.0.get(&prime).unwrap_or(&ZERO) + one * times;
            if all == ZERO { self.0.remove(&prime) } else { self.0.insert(prime, all) };
        }
        self
    }

    pub fn minus(self, other: &Score) -> Self {
        self.plus(other, ZERO - ONE)
    }

    pub fn times(&self, number: Rational) -> Self {
        Score::default().plus(self, number)
    }

    /// Its sign: exact where one prime is left, and whether it is 0 always; otherwise the sum has to lie well beyond what
    /// doubles lose, or the program ends.
    pub fn sign(&self) -> Ordering {
        if self.0.len() <= 1 {
            return self.0.values().next().map_or(Ordering::Equal, |one| one.cmp(&ZERO));
        }
        let terms = self.0.iter().map(|(&prime, one)| one.0 as f64 / one.1 as f64 * (prime as f64).log2());
        let (all, size) = terms.fold((0.0, 0.0), |(all, size), one: f64| (all + one, size + one.abs()));
        assert!(f64::abs(all) > size * 1e-13, "too close for doubles");
        if all > 0.0 { Ordering::Greater } else { Ordering::Less }
    }

    /// As goldens have it: a fraction, or a sum of logarithms.
    pub fn exact(&self) -> String {
        if self.0.keys().all(|&prime| prime == 2) {
            return format!("\"{}\"", self.0.get(&2).unwrap_or(&ZERO).text());
        }
        let over = self.0.values().fold(1, |all, one| all * Rational::new(one.1, all).0);
        let terms: Vec<String> =
            self.0.iter().map(|(prime, one)| format!("\"{prime}\":\"{}\"", one.0 * (over / one.1))).collect();
        format!("{{\"over\":\"{over}\",\"log2\":{{{}}}}}", terms.join(","))
    }
}
