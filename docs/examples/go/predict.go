package main

import "math/big"

// Node is one of a tree document.
type Node struct {
	Label    string
	Counts   map[string]string
	N, Mean  string
	Prior    bool
	Test     Asked
	Branches []Branch
	Missing  struct {
		Rule string
		To   int
	}
	Surrogates []struct {
		Test     Asked
		Branches []Branch
	}
}

// Asked is what a node of a tree document asks.
type Asked struct{ Attribute string }

// Branch leads to the node of its number.
type Branch struct {
	When  map[string]any
	To    int
	Share string
}

// end is a node where a share of a row ends.
type end struct {
	node  int
	share *big.Rat
}

// takes says whether a branch takes a cell that is known.
func (b Branch) takes(cell string) bool {
	for word, value := range b.When {
		switch word {
		case "is":
			return value == cell
		case "in", "not_in":
			in := false
			for _, each := range value.([]any) {
				in = in || each == cell
			}
			return in == (word == "in")
		case "le":
			return number(cell).Cmp(number(value.(string))) <= 0
		case "gt":
			return number(cell).Cmp(number(value.(string))) > 0
		case "lt":
			return number(cell).Cmp(number(value.(string))) < 0
		case "ge":
			return number(cell).Cmp(number(value.(string))) >= 0
		}
	}
	return false
}

// next gives where a share goes from a node, or nothing where it ends there.
func next(node Node, cellOf func(attribute string) string, share *big.Rat) []end {
	if cell := cellOf(node.Test.Attribute); cell != "" {
		for _, branch := range node.Branches {
			if branch.takes(cell) {
				return []end{{branch.To, share}}
			}
		}
		return nil
	}
	for _, surrogate := range node.Surrogates {
		if cell := cellOf(surrogate.Test.Attribute); cell != "" {
			for _, branch := range surrogate.Branches {
				if branch.takes(cell) {
					return []end{{branch.To, share}}
				}
			}
		}
	}
	switch {
	case node.Missing.Rule == "stay":
		return nil
	case node.Missing.To > 0:
		return []end{{node.Missing.To, share}}
	}
	var found []end
	for _, branch := range node.Branches {
		if branch.Share != "" && number(branch.Share).Sign() > 0 {
			found = append(found, end{branch.To, mul(share, number(branch.Share))})
		}
	}
	return found
}

// predictions mixes the nodes where the parts of each row end.
func predictions(of Case) []map[string]any {
	var found []map[string]any
	for _, cells := range of.Rows {
		cellOf := func(attribute string) string {
			for c, column := range of.Data.Columns {
				if column.Name == attribute {
					return cells[c]
				}
			}
			return ""
		}
		var ends []end
		for open := []end{{0, one}}; len(open) > 0; {
			last := open[len(open)-1]
			open = open[:len(open)-1]
			if below := next(of.Tree[last.node], cellOf, last.share); len(below) > 0 {
				open = append(open, below...)
			} else {
				ends = append(ends, last)
			}
		}
		found = append(found, mixed(of, ends))
	}
	return found
}

func mixed(of Case, ends []end) map[string]any {
	parents := parentsOf(of.Tree)
	mean, shares := new(big.Rat), map[string]*big.Rat{}
	for _, each := range ends {
		node := each.node
		for of.Tree[node].Prior {
			node = parents[node]
		}
		if of.Tree[node].Mean != "" {
			mean.Add(mean, mul(each.share, number(of.Tree[node].Mean)))
			continue
		}
		var weights Row
		for _, w := range of.Tree[node].Counts {
			weights = append(weights, number(w))
		}
		for value, w := range of.Tree[node].Counts {
			if shares[value] == nil {
				shares[value] = new(big.Rat)
			}
			shares[value].Add(shares[value], mul(each.share, div(number(w), sum(weights))))
		}
	}
	if len(shares) == 0 {
		return map[string]any{"label": mean.RatString()}
	}
	label, distribution := "", map[string]string{}
	for _, column := range of.Data.Columns {
		if column.Name != of.Data.Target {
			continue
		}
		for _, value := range column.Values {
			if shares[value] == nil {
				continue
			}
			distribution[value] = shares[value].RatString()
			if label == "" || shares[value].Cmp(shares[label]) > 0 {
				label = value
			}
		}
	}
	return map[string]any{"label": label, "distribution": distribution}
}

func parentsOf(tree []Node) []int {
	parents := make([]int, len(tree))
	for n, node := range tree {
		for _, branch := range node.Branches {
			parents[branch.To] = n
		}
	}
	return parents
}
