//! ID3 and CART: the decision at a node, and the loop that grows a tree.
use crate::exact::{Rational, Score, ZERO, sum};
use crate::json::{Json, quoted};
use crate::measures::{Impurity, Weights, column_sums, squared_error, weight};

#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Missing,
    Value(usize),
    Number(Rational),
}

#[derive(Clone)]
enum Test {
    Multiway(usize),
    Set(usize, Vec<usize>),
    Cut(usize, Rational),
}

/// Some rows, by their places, each with a weight.
type Sample = Vec<(usize, Rational)>;

struct Candidate {
    test: Test,
    rows: Vec<Weights>,
    unknown: Weights,
    score: Result<Score, &'static str>, // or the rule that bars it
}

struct Column {
    name: String,
    values: Option<Vec<String>>,
}

/// The learner of a case, with its data.
pub struct Learner<'a> {
    options: &'a Json,
    impurity: Impurity,
    multiway: bool,
    below: bool,
    attributes: Vec<(usize, Column)>,
    target: (usize, Column),
    rows: Vec<Vec<Cell>>,
    whole: Rational,
}

fn texts(list: &Json) -> Vec<String> {
    list.list().iter().map(|one| one.text().to_string()).collect()
}

fn json_weights(row: &[Rational]) -> String {
    format!("[{}]", row.iter().map(|one| quoted(&one.text())).collect::<Vec<_>>().join(","))
}

impl<'a> Learner<'a> {
    /// The learner and the sample of a case, or nothing if the case asks what is not here.
    pub fn of(case: &'a Json) -> Option<(Self, Sample)> {
        let (learner, data) = (case.get("learner"), case.get("data"));
        let options = learner.get("options");
        let columns: Vec<Column> = (data.get("columns").list().iter())
            .map(|one| Column {
                name: one.get("name").text().to_string(),
                values: (one.get("kind").text() == "categorical").then(|| texts(one.get("values"))),
            })
            .collect();
        let cell = |column: &Column, text: &str| match &column.values {
            _ if text.is_empty() => Cell::Missing,
            Some(values) => Cell::Value(values.iter().position(|one| one == text).expect("a declared value")),
            None => Cell::Number(Rational::parse(text)),
        };
        let rows: Vec<Vec<Cell>> = (data.get("rows").list().iter())
            .map(|row| columns.iter().zip(row.list()).map(|(column, one)| cell(column, one.text())).collect())
            .collect();
        let gaps = rows.iter().any(|row| row.contains(&Cell::Missing));
        let (attributes, targets): (Vec<_>, Vec<_>) =
            columns.into_iter().enumerate().partition(|(_, column)| column.name != data.get("target").text());
        let target = targets.into_iter().next()?;
        let id3 = learner.get("name").text() == "id3";
        let impurity = match (id3, options.get("criterion").text(), target.1.values.is_some()) {
            (true, _, true) | (false, "entropy", true) => Impurity::Entropy,
            (false, "gini" | "auto", true) => Impurity::Gini,
            (false, "squared_error" | "auto", false) => Impurity::Variance,
            _ => return None,
        };
        let known = ["cuts", "missing", "regression", "subsets", "weights", "exact"];
        let able = texts(case.get("needs")).iter().all(|need| known.contains(&need.as_str()))
            && ["id3", "cart"].contains(&learner.get("name").text())
            && learner.get("profile").is_null()
            && ["", "best"].contains(&options.get("subsets").text())
            && options.get("branching").text() != "linear"
            && (!gaps || id3 || options.get("missing").text() == "fractions")
            && options.get("merge_leaves").is_null()
            && options.get("cuts").is_null();
        let weights = data.get("weights").list();
        let sample: Sample = (0..rows.len())
            .filter(|&row| rows[row][target.0] != Cell::Missing)
            .map(|row| (row, weights.get(row).map_or(Rational(1, 1), |one| Rational::parse(one.text()))))
            .collect();
        let whole = sum(sample.iter().map(|one| one.1));
        let multiway = id3 || options.get("branching").text() == "multiway";
        let below = options.get("threshold").text() == "below";
        able.then_some((Learner { options, impurity, multiway, below, attributes, target, rows, whole }, sample))
    }

    fn option(&self, name: &str) -> Rational {
        match self.options.get(name) {
            Json::Text(text) => Rational::parse(text),
            _ => ZERO,
        }
    }

    /// The weight of each class; of numbers weight, sum, and sum of squares.
    fn total(&self, sample: &[(usize, Rational)]) -> Weights {
        let mut found = vec![ZERO; self.target.1.values.as_ref().map_or(3, Vec::len)];
        for &(row, w) in sample {
            match self.rows[row][self.target.0] {
                Cell::Value(class) => found[class] = found[class] + w,
                Cell::Number(y) => found = vec![found[0] + w, found[1] + w * y, found[2] + w * y * y],
                Cell::Missing => (),
            }
        }
        found
    }

    fn branches(&self, test: &Test) -> usize {
        match test {
            Test::Multiway(attribute) => self.attributes[*attribute].1.values.as_ref().map_or(0, Vec::len),
            _ => 2,
        }
    }

    /// The branch of a row, or nothing if it does not answer.
    fn branch(&self, test: &Test, row: usize) -> Option<usize> {
        let (Test::Multiway(attribute) | Test::Set(attribute, _) | Test::Cut(attribute, _)) = test;
        match (test, self.rows[row][self.attributes[*attribute].0]) {
            (Test::Multiway(_), Cell::Value(value)) => Some(value),
            (Test::Set(_, set), Cell::Value(value)) => Some(usize::from(!set.contains(&value))),
            (Test::Cut(_, at), Cell::Number(x)) => Some(usize::from(if self.below { x >= *at } else { x > *at })),
            _ => None,
        }
    }

    /// The samples of the branches, and the rows that do not answer.
    fn parts(&self, test: &Test, sample: &[(usize, Rational)]) -> (Vec<Sample>, Sample) {
        let (mut known, mut unknown) = (vec![Sample::new(); self.branches(test)], Sample::new());
        for &(row, w) in sample {
            self.branch(test, row).map_or(&mut unknown, |branch| &mut known[branch]).push((row, w));
        }
        (known, unknown)
    }

    fn tests(&self, attribute: usize, sample: &[(usize, Rational)]) -> Vec<Test> {
        let (place, column) = &self.attributes[attribute];
        let cells: Vec<Cell> = sample.iter().map(|one| self.rows[one.0][*place]).collect();
        let Some(values) = &column.values else {
            let mut numbers: Vec<Rational> =
                cells.iter().filter_map(|cell| if let Cell::Number(x) = cell { Some(*x) } else { None }).collect();
            numbers.sort();
            numbers.dedup();
            return numbers.windows(2).map(|two| Test::Cut(attribute, (two[0] + two[1]) / Rational(2, 1))).collect();
        };
        if self.multiway {
            return vec![Test::Multiway(attribute)];
        }
        let met: Vec<usize> = (0..values.len()).filter(|&value| cells.contains(&Cell::Value(value))).collect();
        if met.len() < 2 {
            return Vec::new();
        }
        if self.options.get("branching").text() == "one-vs-rest" {
            let asked = if met.len() == 2 { &met[..1] } else { &met[..] };
            return asked.iter().map(|&value| Test::Set(attribute, vec![value])).collect();
        }
        let bits = |mask: usize| (0..met.len()).filter(move |bit| mask >> bit & 1 == 1);
        (1..1_usize << (met.len() - 1)).map(|mask| Test::Set(attribute, bits(mask).map(|bit| met[bit]).collect())).collect()
    }

    fn candidate(&self, test: Test, sample: &[(usize, Rational)]) -> Candidate {
        let (known, unknown) = self.parts(&test, sample);
        let rows: Vec<Weights> = known.iter().map(|part| self.total(part)).collect();
        let unknown = self.total(&unknown);
        let filled: Vec<Rational> = rows.iter().map(|row| weight(self.impurity, row)).filter(|&w| w > ZERO).collect();
        let score = if filled.len() < 2 {
            Err("candidate")
        } else if filled.iter().any(|&w| w < self.option("min_samples_leaf")) {
            Err("min-samples-leaf")
        } else {
            Ok(self.impurity.decrease_of_known(&rows, &unknown))
        };
        Candidate { test, rows, unknown, score }
    }

    /// Why the node is a leaf before any question is measured.
    fn stops(&self, total: &[Rational], used: &[bool], depth: usize) -> Option<&'static str> {
        let n = weight(self.impurity, total);
        let pure = match self.impurity {
            Impurity::Variance => squared_error(total) == ZERO,
            _ => total.iter().filter(|&&count| count > ZERO).count() == 1,
        };
        let deepest = self.options.get("max_depth").text().parse().unwrap_or(usize::MAX);
        let reasons = [
            (n == ZERO, "empty"),
            (pure, "pure"),
            (used.iter().all(|&one| one), "no-attributes"),
            (depth >= deepest, "max-depth"),
            (n < self.option("min_samples_split"), "min-samples-split"),
        ];
        reasons.into_iter().find(|reason| reason.0).map(|reason| reason.1)
    }

    /// The places of the best candidates, or why none of them is asked.
    fn winners(&self, candidates: &[Candidate], n: Rational) -> Result<Vec<usize>, &'static str> {
        let mut best: Vec<usize> = Vec::new();
        for (place, one) in candidates.iter().enumerate() {
            let Ok(score) = &one.score else { continue };
            let ahead = best.first().and_then(|&first| candidates[first].score.as_ref().ok());
            match ahead.map(|other| score.clone().minus(other).sign()) {
                Some(std::cmp::Ordering::Less) => (),
                Some(std::cmp::Ordering::Equal) => best.push(place),
                _ => best = vec![place],
            }
        }
        let Some(&first) = best.first() else {
            let small = candidates.iter().any(|one| one.score == Err("min-samples-leaf"));
            return Err(if small { "min-samples-leaf" } else { "no-candidates" });
        };
        let score = candidates[first].score.clone().expect("a winner has a score");
        let below = |score: &Score, bound: &str| score.clone().minus(&Score::of(self.option(bound))).sign().is_lt();
        if below(&score, "epsilon") {
            Err("epsilon")
        } else if below(&score.times(n / self.whole), "min_impurity_decrease") {
            Err("min-impurity-decrease")
        } else if self.options.get("zero_gain").text() == "stops" && !score.sign().is_gt() {
            Err("zero-gain")
        } else {
            Ok(best)
        }
    }

    fn answer(&self, total: &[Rational]) -> String {
        let Some(classes) = &self.target.1.values else {
            return format!("\"label\":{}", quoted(&(total[1] / total[0]).text()));
        };
        let most = total.iter().max().expect("a class");
        let tied: Vec<String> = (0..classes.len()).filter(|&one| total[one] == *most).map(|one| quoted(&classes[one])).collect();
        let listed = if tied.len() > 1 { tied.join(",") } else { String::new() };
        format!("\"label\":{},\"tied\":[{listed}]", tied[0])
    }

    fn told(&self, one: &Candidate) -> String {
        let (Test::Multiway(attribute) | Test::Set(attribute, _) | Test::Cut(attribute, _)) = &one.test;
        let column = &self.attributes[*attribute].1;
        let value = |place: &usize| quoted(&column.values.as_ref().expect("values")[*place]);
        let (kind, more, outcomes) = match &one.test {
            Test::Multiway(_) => {
                let all = (0..self.branches(&one.test)).map(|place| format!("{{\"is\":{}}}", value(&place)));
                ("multiway", String::new(), all.collect())
            }
            Test::Set(_, set) => {
                let values = set.iter().map(value).collect::<Vec<_>>().join(",");
                ("subset", String::new(), vec![format!("{{\"in\":[{values}]}}"), format!("{{\"not_in\":[{values}]}}")])
            }
            Test::Cut(_, at) => {
                let (at, signs) = (quoted(&at.text()), if self.below { ["lt", "ge"] } else { ["le", "gt"] });
                ("threshold", format!(",\"threshold\":{at}"), signs.map(|sign| format!("{{\"{sign}\":{at}}}")).to_vec())
            }
        };
        let name = match self.impurity {
            Impurity::Entropy => "gain",
            Impurity::Gini => "gini_decrease",
            Impurity::Variance => "variance_reduction",
        };
        let judged = match &one.score {
            Ok(score) => format!("\"barred\":null,\"scores\":{{\"{name}\":{{\"exact\":{}}}}}", score.exact()),
            Err(rule) => format!("\"barred\":\"{rule}\",\"scores\":{{}}"),
        };
        format!(
            "{{\"test\":{{\"kind\":\"{kind}\",\"attribute\":{}{more}}},\"outcomes\":[{}],\"table\":{{\"rows\":[{}],\"unknown\":{}}},{judged}}}",
            quoted(&column.name),
            outcomes.join(","),
            one.rows.iter().map(|row| json_weights(row)).collect::<Vec<_>>().join(","),
            json_weights(&one.unknown),
        )
    }

    /// The decisions in preorder, in JSON; the first alone of one node.
    pub fn decisions(&self, sample: Sample, whole: bool) -> String {
        let mut found = Vec::new();
        let used = vec![false; self.attributes.len()];
        let mut waiting = vec![(Vec::<usize>::new(), sample, used, String::new())];
        while let Some((at, sample, used, above)) = waiting.pop() {
            let total = self.total(&sample);
            let n = weight(self.impurity, &total);
            let answer = if n == ZERO { above } else { self.answer(&total) };
            let early = self.stops(&total, &used, at.len());
            let asked = (0..used.len()).filter(|&one| !used[one] && early.is_none());
            let candidates: Vec<Candidate> =
                asked.flat_map(|one| self.tests(one, &sample)).map(|test| self.candidate(test, &sample)).collect();
            let decided = early.map_or_else(|| self.winners(&candidates, n), Err);
            let outcome = match &decided {
                Err(reason) => format!("\"stop\":\"{reason}\",\"chosen\":null"),
                Ok(best) => format!("\"stop\":null,\"winners\":{best:?},\"chosen\":{}", best[0]),
            };
            let listed: Vec<String> = candidates.iter().map(|one| self.told(one)).collect();
            found.push(format!(
                "{{\"at\":{at:?},\"total\":{},\"answer\":{{{answer},\"prior\":{}}},{outcome},\"candidates\":[{}]}}",
                json_weights(&total),
                n == ZERO,
                listed.join(","),
            ));
            let Ok(best) = decided else { continue };
            if !whole {
                break;
            }
            let one = &candidates[best[0]];
            let (parts, unknown) = self.parts(&one.test, &sample);
            let known = weight(self.impurity, &column_sums(&one.rows));
            for (branch, mut part) in parts.into_iter().enumerate().rev() {
                let share = weight(self.impurity, &one.rows[branch]) / known;
                part.extend(unknown.iter().map(|&(row, w)| (row, w * share)).filter(|one| one.1 > ZERO));
                let mut spent = used.clone();
                if let Test::Multiway(attribute) = one.test {
                    spent[attribute] = true;
                }
                waiting.push(([at.clone(), vec![branch]].concat(), part, spent, answer.clone()));
            }
        }
        found.join(",")
    }
}
