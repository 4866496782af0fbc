package main

import "math/big"

// Row holds the weight of each class; of numbers their weight, their sum and the sum of their squares.
type Row []*big.Rat

func sum(weights []*big.Rat) *big.Rat {
	total := new(big.Rat)
	for _, w := range weights {
		total.Add(total, w)
	}
	return total
}

func columns(rows []Row) Row {
	total := make(Row, len(rows[0]))
	for k := range total {
		total[k] = new(big.Rat)
		for _, row := range rows {
			total[k].Add(total[k], row[k])
		}
	}
	return total
}

func minus(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func mul(a, b *big.Rat) *big.Rat   { return new(big.Rat).Mul(a, b) }
func div(a, b *big.Rat) *big.Rat   { return new(big.Rat).Quo(a, b) }

var one = big.NewRat(1, 1)

// bits is n·H, the entropy times the weight: n log n − Σ w log w.
func bits(weights []*big.Rat) LogSum {
	found := LogSum{}
	for _, w := range weights {
		if w.Sign() > 0 {
			found.plusLog(new(big.Rat).Neg(w), w)
		}
	}
	if n := sum(weights); n.Sign() > 0 {
		found.plusLog(n, n)
	}
	return found
}

func perRow(total LogSum, n *big.Rat) Score {
	return Score{LogSum{}.add(div(one, n), total), rational(one)}
}

func entropy(weights []*big.Rat) Score { return perRow(bits(weights), sum(weights)) }

func conditional(rows []Row) Score {
	left := LogSum{}
	for _, row := range rows {
		left.add(one, bits(row))
	}
	return perRow(left, sum(columns(rows)))
}

func gain(rows []Row) Score {
	saved := bits(columns(rows)).add(big.NewRat(-1, 1), LogSum{})
	for _, row := range rows {
		saved.add(big.NewRat(-1, 1), bits(row))
	}
	return perRow(saved, sum(columns(rows)))
}

func sizes(rows []Row) []*big.Rat {
	var found []*big.Rat
	for _, row := range rows {
		found = append(found, sum(row))
	}
	return found
}

func splitInformation(rows []Row) Score { return entropy(sizes(rows)) }

// per divides by a score whose denominator is 1.
func (s Score) per(other Score) Score { return Score{s.over, other.over} }

func gainRatio(rows []Row) Score { return gain(rows).per(splitInformation(rows)) }

// gini is 1 − Σ p².
func gini(weights []*big.Rat) *big.Rat {
	n, left := sum(weights), big.NewRat(1, 1)
	for _, w := range weights {
		left = minus(left, mul(div(w, n), div(w, n)))
	}
	return left
}

func misclassification(weights []*big.Rat) *big.Rat {
	most := new(big.Rat)
	for _, w := range weights {
		if w.Cmp(most) > 0 {
			most = w
		}
	}
	return minus(one, div(most, sum(weights)))
}

// squares is Σ y² − (Σ y)²/n, the squared error about the mean.
func squares(row Row) *big.Rat {
	if row[0].Sign() == 0 {
		return new(big.Rat)
	}
	return minus(row[2], div(mul(row[1], row[1]), row[0]))
}

func variance(row Row) *big.Rat { return div(squares(row), row[0]) }

func sampleVariance(row Row) *big.Rat {
	if row[0].Cmp(one) <= 0 {
		return new(big.Rat)
	}
	return div(squares(row), minus(row[0], one))
}

// decrease is the impurity of all rows less that of the branches, each by its share; weigh gives the weight of a row.
func decrease(impurity func(Row) *big.Rat, weigh func(Row) *big.Rat, rows []Row) *big.Rat {
	all := columns(rows)
	return minus(impurity(all), mean(impurity, weigh, rows))
}

func mean(impurity func(Row) *big.Rat, weigh func(Row) *big.Rat, rows []Row) *big.Rat {
	left, n := new(big.Rat), weigh(columns(rows))
	for _, row := range rows {
		if w := weigh(row); w.Sign() > 0 {
			left.Add(left, mul(div(w, n), impurity(row)))
		}
	}
	return left
}

func ofClasses(row Row) *big.Rat  { return sum(row) }
func ofNumbers(row Row) *big.Rat  { return row[0] }
func giniOf(row Row) *big.Rat     { return gini(row) }
func mistakesOf(row Row) *big.Rat { return misclassification(row) }
