package main

import (
	"math/big"
)

// place of a node that is still to be decided.
type open struct {
	at     []int
	parts  []Part
	used   map[int]bool
	answer map[string]any
}

// grow decides every node in preorder, or the root alone.
func (l *Learner) grow(data Data, rootOnly bool) []map[string]any {
	var parts []Part
	for n, cells := range data.Rows {
		weight := one
		if data.Weights != nil {
			weight = number(data.Weights[n])
		}
		if cells[l.target] != "" && weight.Sign() > 0 {
			parts = append(parts, Part{n, weight})
		}
	}
	l.root = l.weigh(l.count(parts))
	stack, decisions := []open{{at: []int{}, parts: parts}}, []map[string]any{}
	for len(stack) > 0 {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		total := l.count(node.parts)
		answer := node.answer
		if l.weigh(total).Sign() > 0 {
			answer = map[string]any{"label": l.label(total)}
		}
		texts := []string{}
		for _, w := range total {
			texts = append(texts, w.RatString())
		}
		decision := map[string]any{"at": node.at, "answer": answer, "total": texts}
		decisions = append(decisions, decision)
		chosen, stop := l.decide(node, total)
		if chosen == nil {
			decision["stop"] = stop
			continue
		}
		decision["chosen"] = map[string]any{"test": chosen.test, "outcomes": chosen.outcomes}
		if rootOnly {
			break
		}
		below := l.children(node, chosen, answer)
		for k := len(below) - 1; k >= 0; k-- {
			stack = append(stack, below[k])
		}
	}
	return decisions
}

// children hands the rows down; one without an answer goes down every branch, its weight multiplied by the share of the branch.
func (l *Learner) children(node open, chosen *Candidate, answer map[string]any) []open {
	branches, unknown := l.divide(chosen.Question, node.parts)
	used := map[int]bool{}
	for column := range node.used {
		used[column] = true
	}
	if chosen.finishes {
		used[chosen.column] = true
	}
	var found []open
	for k, branch := range branches {
		if share := div(chosen.total[k], chosen.known); share.Sign() > 0 {
			for _, part := range unknown {
				branch = append(branch, Part{part.row, mul(part.weight, share)})
			}
		}
		at := append(append([]int{}, node.at...), k)
		found = append(found, open{at, branch, used, answer})
	}
	return found
}

// label is the first class of most weight, or the mean.
func (l *Learner) label(total Row) string {
	if l.numeric {
		return div(total[1], total[0]).RatString()
	}
	best := 0
	for k, w := range total {
		if w.Cmp(total[best]) > 0 {
			best = k
		}
	}
	return l.data.Columns[l.target].Values[best]
}

func (l *Learner) pure(total Row) bool {
	if l.numeric {
		return squares(total).Sign() == 0
	}
	classes := 0
	for _, w := range total {
		classes += w.Sign()
	}
	return classes == 1
}

// decide gives the best candidate, or the reason to stop.
func (l *Learner) decide(node open, total Row) (*Candidate, string) {
	weight := l.weigh(total)
	switch {
	case weight.Sign() == 0:
		return nil, "empty"
	case l.pure(total):
		return nil, "pure"
	case len(node.used) == len(l.data.Columns)-1:
		return nil, "no-attributes"
	case l.depth >= 0 && len(node.at) >= l.depth:
		return nil, "max-depth"
	case weight.Cmp(l.split) < 0:
		return nil, "min-samples-split"
	}
	var free []Candidate
	stop := "no-candidates"
	for column := range l.data.Columns {
		if column == l.target || node.used[column] {
			continue
		}
		for _, question := range l.questions(column, node.parts) {
			c := l.candidate(question, node.parts)
			if c.barred == "" {
				free = append(free, c)
			} else if c.barred == "min-samples-leaf" {
				stop = c.barred
			}
		}
	}
	if len(free) == 0 {
		return nil, stop
	}
	if l.criterion == "ratio" {
		free = l.contenders(free)
	}
	best := first(free, func(c Candidate) Score { return c.score })
	nothing := l.stopsAtZero && compare(best.score, whole(new(big.Rat))) == 0
	switch {
	case nothing && l.name == "c45":
		return nil, "zero-gain"
	case compare(best.score, whole(l.epsilon)) < 0:
		return nil, "epsilon"
	case compare(best.score.times(div(weight, l.root)), whole(l.decrease)) < 0:
		return nil, "min-impurity-decrease"
	case nothing:
		return nil, "zero-gain"
	}
	return best, ""
}

// first is the first candidate of the largest score.
func first(candidates []Candidate, score func(Candidate) Score) *Candidate {
	best := &candidates[0]
	for k := range candidates[1:] {
		if c := &candidates[k+1]; compare(score(*c), score(*best)) > 0 {
			best = c
		}
	}
	return best
}

// contenders of C4.5: the cut of largest gain stands for its attribute, and a gain has to be at least the average.
func (l *Learner) contenders(free []Candidate) []Candidate {
	var each []Candidate
	for start := 0; start < len(free); {
		end := start
		for end < len(free) && free[end].column == free[start].column {
			end++
		}
		each = append(each, *first(free[start:end], func(c Candidate) Score { return c.gain }))
		start = end
	}
	if l.everyone {
		return each
	}
	all := LogSum{}
	for _, c := range each {
		all.add(one, c.gain.over)
	}
	average := perRow(all, big.NewRat(int64(len(each)), 1))
	var found []Candidate
	for _, c := range each {
		if compare(c.gain, average) >= 0 {
			found = append(found, c)
		}
	}
	return found
}
