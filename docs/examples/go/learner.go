package main

import (
	"encoding/json"
	"math/big"
	"sort"
)

// Part is a row of the data with the weight it has at a node.
type Part struct {
	row    int
	weight *big.Rat
}

// Question is a test of one attribute; outcome gives the branch of a cell that is known, or -1.
type Question struct {
	test     map[string]any
	outcomes []map[string]any
	outcome  func(cell string) int
	column   int
	cut      bool
	finishes bool
}

// Candidate is a question with the table it makes at a node.
type Candidate struct {
	Question
	rows   []Row
	total  []*big.Rat
	known  *big.Rat
	gain   Score
	score  Score
	barred string
}

// Learner is ID3, C4.5 or CART with its options.
type Learner struct {
	name                                      string
	epsilon, split, leaf, decrease            *big.Rat
	depth                                     int
	criterion, branching, missing             string
	below, everyone, stopsAtZero, withUnknown bool
	data                                      Data
	target                                    int
	numeric                                   bool
	root                                      *big.Rat
}

// spelled are the options that learnerOf reads.
var spelled = []string{
	"epsilon", "max_depth", "min_samples_split", "min_samples_leaf", "min_impurity_decrease", "criterion", "branching", "missing",
	"threshold", "contenders", "zero_gain", "split_information",
}

// idle are options of searches and surrogates, which this program does not do.
var idle = []string{"search", "seed", "agreement", "surrogate_minimum", "max_surrogates", "surrogate_errors", "surrogate_unseen", "losses"}

// dialects are the profiles of which the options say everything.
var dialects = []string{"", "zhou", "li-hang"}

// usual has, of each option that a program may be without, the one value that this one knows.
var usual = map[string]string{
	"chi_squared": `"0"`, "cut_minimum": `"same"`, "cut_gap": `"0"`, "penalty": `"none"`, "cut_gain": `"any"`, "branch_minimum": `"every"`,
	"least_split_information": `"0"`, "slack": `"0"`, "collapse": `"never"`, "subsets": `"best"`, "priors": `null`, "loss": `null`,
	"cuts": `null`, "merge_leaves": `false`, "ties": `{"at":{},"class":"first","split":"first"}`, "always_surrogates": `false`,
}

// learnerOf is the learner of a case, or nil where it has an option that this program does not know.
func learnerOf(of Case) *Learner {
	options := of.Learner.Options
	if index(dialects, of.Learner.Profile) < 0 {
		return nil
	}
	for name, given := range options {
		value, there := usual[name]
		if text, _ := json.Marshal(given); there && string(text) != value || !there && index(spelled, name) < 0 && index(idle, name) < 0 {
			return nil
		}
	}
	text := func(name, otherwise string) string {
		if given, there := options[name].(string); there {
			return given
		}
		return otherwise
	}
	l := &Learner{
		name: of.Learner.Name, epsilon: number(text("epsilon", "0")), split: number(text("min_samples_split", "0")),
		leaf: number(text("min_samples_leaf", "0")), decrease: number(text("min_impurity_decrease", "0")), depth: -1,
		criterion: text("criterion", "auto"), branching: text("branching", "multiway"), missing: text("missing", "fractions"),
		below: text("threshold", "") == "below", everyone: text("contenders", "") == "everyone",
		stopsAtZero: text("zero_gain", "") == "stops", withUnknown: text("split_information", "") == "with-unknown", data: of.Data,
	}
	if options["max_depth"] != nil {
		l.depth = place(options["max_depth"])
	}
	gaps := false
	for c, column := range of.Data.Columns {
		if column.Name == of.Data.Target {
			l.target, l.numeric = c, column.Kind == "continuous"
		}
	}
	for _, cells := range of.Data.Rows {
		for c, cell := range cells {
			gaps = gaps || cell == "" && c != l.target
		}
	}
	switch l.name {
	case "id3":
		l.criterion = "entropy"
	case "c45":
		l.criterion = "ratio"
		if l.branching != "multiway" || text("threshold", "midpoint") != "midpoint" || text("contenders", "") == "near-average" {
			return nil
		}
	case "cart":
		if l.criterion == "auto" {
			l.criterion = map[bool]string{true: "squared_error", false: "gini"}[l.numeric]
		}
		if scores[l.criterion] == nil || l.branching == "linear" {
			return nil
		}
		if l.criterion == "variance_n_minus_1" && l.leaf.Cmp(one) < 0 {
			l.leaf = one
		}
	default:
		return nil
	}
	if gaps && l.missing != "fractions" {
		return nil
	}
	return l
}

// scores has for each criterion the score of a table of known rows.
var scores = map[string]func([]Row) Score{
	"entropy":            gain,
	"ratio":              gain,
	"gini":               func(rows []Row) Score { return whole(decrease(giniOf, ofClasses, rows)) },
	"misclassification":  func(rows []Row) Score { return whole(decrease(mistakesOf, ofClasses, rows)) },
	"squared_error":      func(rows []Row) Score { return whole(decrease(variance, ofNumbers, rows)) },
	"variance_n_minus_1": func(rows []Row) Score { return whole(decrease(sampleVariance, ofNumbers, rows)) },
}

func (l *Learner) weigh(r Row) *big.Rat {
	if l.numeric {
		return r[0]
	}
	return sum(r)
}

// count adds up the weights of some parts.
func (l *Learner) count(parts []Part) Row {
	size := 3
	if !l.numeric {
		size = len(l.data.Columns[l.target].Values)
	}
	found := make(Row, size)
	for k := range found {
		found[k] = new(big.Rat)
	}
	for _, part := range parts {
		cell := l.data.Rows[part.row][l.target]
		if l.numeric {
			y := number(cell)
			for k, term := range []*big.Rat{part.weight, mul(part.weight, y), mul(part.weight, mul(y, y))} {
				found[k].Add(found[k], term)
			}
			continue
		}
		for k, value := range l.data.Columns[l.target].Values {
			if value == cell {
				found[k].Add(found[k], part.weight)
			}
		}
	}
	return found
}

// divide gives the parts of each branch, and those whose cell is missing.
func (l *Learner) divide(q Question, parts []Part) ([][]Part, []Part) {
	branches, unknown := make([][]Part, len(q.outcomes)), []Part(nil)
	for _, part := range parts {
		if cell := l.data.Rows[part.row][q.column]; cell == "" {
			unknown = append(unknown, part)
		} else if branch := q.outcome(cell); branch >= 0 {
			branches[branch] = append(branches[branch], part)
		}
	}
	return branches, unknown
}

// questions are those of one column, in their order.
func (l *Learner) questions(column int, parts []Part) []Question {
	of := l.data.Columns[column]
	if of.Kind == "continuous" {
		return l.cuts(column, parts)
	}
	if l.branching == "multiway" {
		outcomes := []map[string]any{}
		for _, value := range of.Values {
			outcomes = append(outcomes, map[string]any{"is": value})
		}
		return []Question{{
			test: map[string]any{"kind": "multiway", "attribute": of.Name}, outcomes: outcomes, column: column, finishes: true,
			outcome: func(cell string) int { return index(of.Values, cell) },
		}}
	}
	there := map[string]bool{}
	for _, part := range parts {
		there[l.data.Rows[part.row][column]] = true
	}
	var present []string
	for _, value := range of.Values {
		if there[value] {
			present = append(present, value)
		}
	}
	if l.branching == "one-vs-rest" {
		var found []Question
		for _, value := range present {
			found = append(found, subset(column, of.Name, []string{value}))
		}
		return found
	}
	var found []Question
	for mask := 1; len(present) > 1 && mask < 1<<(len(present)-1); mask++ {
		var in []string
		for k, value := range present {
			if mask>>k&1 == 1 {
				in = append(in, value)
			}
		}
		found = append(found, subset(column, of.Name, in))
	}
	return found
}

func subset(column int, attribute string, in []string) Question {
	return Question{
		test:     map[string]any{"kind": "subset", "attribute": attribute},
		outcomes: []map[string]any{{"in": in}, {"not_in": in}}, column: column,
		outcome: func(cell string) int {
			if index(in, cell) >= 0 {
				return 0
			}
			return 1
		},
	}
}

// cuts are the midpoints between neighbouring distinct numbers.
func (l *Learner) cuts(column int, parts []Part) []Question {
	var numbers []*big.Rat
	for _, part := range parts {
		if cell := l.data.Rows[part.row][column]; cell != "" {
			numbers = append(numbers, number(cell))
		}
	}
	sort.Slice(numbers, func(i, j int) bool { return numbers[i].Cmp(numbers[j]) < 0 })
	var found []Question
	for k := 1; k < len(numbers); k++ {
		if numbers[k-1].Cmp(numbers[k]) == 0 {
			continue
		}
		at := mul(big.NewRat(1, 2), new(big.Rat).Add(numbers[k-1], numbers[k]))
		low, high := "le", "gt"
		if l.below {
			low, high = "lt", "ge"
		}
		found = append(found, Question{
			test:     map[string]any{"kind": "threshold", "attribute": l.data.Columns[column].Name, "threshold": at.RatString()},
			outcomes: []map[string]any{{low: at.RatString()}, {high: at.RatString()}}, column: column, cut: true,
			outcome: func(cell string) int {
				if number(cell).Cmp(at) < 0 || !l.below && number(cell).Cmp(at) == 0 {
					return 0
				}
				return 1
			},
		})
	}
	return found
}

func index(values []string, cell string) int {
	for k, value := range values {
		if value == cell {
			return k
		}
	}
	return -1
}

// candidate judges a question on the rows that answer it; the score is multiplied by their share.
func (l *Learner) candidate(q Question, parts []Part) Candidate {
	branches, unknown := l.divide(q, parts)
	c := Candidate{Question: q}
	filled, small := 0, false
	for _, branch := range branches {
		row := l.count(branch)
		w := l.weigh(row)
		c.rows, c.total = append(c.rows, row), append(c.total, w)
		if w.Sign() > 0 {
			filled++
			small = small || w.Cmp(l.leaf) < 0
		}
	}
	c.known = sum(c.total)
	switch {
	case filled < 2:
		c.barred = "candidate"
		return c
	case small:
		c.barred = "min-samples-leaf"
		return c
	}
	lost := l.weigh(l.count(unknown))
	share := div(c.known, new(big.Rat).Add(c.known, lost))
	c.gain = scores[l.criterion](c.rows).times(share)
	c.score = c.gain
	if l.criterion == "ratio" {
		paid := c.total
		if l.withUnknown {
			paid = append(append([]*big.Rat{}, c.total...), lost)
		}
		c.score = c.gain.per(entropy(paid))
	}
	return c
}
