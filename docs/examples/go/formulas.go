package main

import (
	"encoding/json"
	"math/big"
)

func number(text string) *big.Rat {
	r, fine := new(big.Rat).SetString(text)
	if !fine {
		panic("not a number: " + text)
	}
	return r
}

func row(value any) Row {
	var found Row
	for _, cell := range value.([]any) {
		found = append(found, number(cell.(string)))
	}
	return found
}

func table(value any) []Row {
	var found []Row
	for _, each := range value.([]any) {
		found = append(found, row(each))
	}
	return found
}

// formula gives the number of a formula case, or nil.
func formula(name string, given []any) any {
	exact := func(r *big.Rat) any { return r.RatString() }
	double := func(s Score) any { return s.double() }
	switch name {
	case "measures.entropy.entropy":
		return double(entropy(row(given[0])))
	case "measures.entropy.entropy_of_proportion":
		p := number(given[0].(string))
		return double(entropy(Row{p, minus(one, p)}))
	case "measures.conditional_entropy.conditional_entropy":
		return double(conditional(table(given[0])))
	case "measures.information_gain.information_gain":
		return double(gain(table(given[0])))
	case "measures.gain_ratio.gain_ratio":
		return double(gainRatio(table(given[0])))
	case "measures.gain_ratio.split_information":
		return double(splitInformation(table(given[0])))
	case "splitting.missing_values.gain_with_missing":
		rows := table(given[0])
		known := sum(columns(rows))
		return double(gain(rows).times(div(known, new(big.Rat).Add(known, sum(row(given[1]))))))
	case "measures.gini_index.gini":
		return exact(gini(row(given[0])))
	case "measures.gini_index.gini_index":
		return exact(mean(giniOf, ofClasses, table(given[0])))
	case "measures.gini_index.gini_decrease":
		return exact(decrease(giniOf, ofClasses, table(given[0])))
	case "measures.gini_index.binary_gini_index":
		rows, which := table(given[0]), place(given[1])
		rest := append(append([]Row{}, rows[:which]...), rows[which+1:]...)
		return exact(mean(giniOf, ofClasses, []Row{rows[which], columns(rest)}))
	case "measures.variance.mean":
		r := row(given[0])
		return exact(div(r[1], r[0]))
	case "measures.variance.variance":
		return exact(variance(row(given[0])))
	case "measures.variance.sample_variance":
		return exact(sampleVariance(row(given[0])))
	case "measures.variance.split_error":
		left := new(big.Rat)
		for _, r := range table(given[0]) {
			left.Add(left, squares(r))
		}
		return exact(left)
	case "measures.variance.variance_reduction":
		impurity := variance
		if len(given) > 1 && given[1] == true {
			impurity = sampleVariance
		}
		return exact(decrease(impurity, ofNumbers, table(given[0])))
	}
	return nil
}

func place(value any) int {
	n, _ := value.(json.Number).Int64()
	return int(n)
}
