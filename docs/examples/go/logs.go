package main

import (
	"math/big"
	"sort"
)

// LogSum is a sum of c·log2 n: the weight c of each whole number n, by its decimal text. A rational r is r·log2 2.
type LogSum map[string]*big.Rat

func rational(r *big.Rat) LogSum { return LogSum{}.plus(big.NewRat(1, 1), r, big.NewInt(2)) }

// plus adds times·c·log2 n.
func (s LogSum) plus(times, c *big.Rat, n *big.Int) LogSum {
	if n.Cmp(big.NewInt(1)) != 0 {
		sum := new(big.Rat).Mul(times, c)
		if old, there := s[n.String()]; there {
			sum.Add(sum, old)
		}
		s[n.String()] = sum
	}
	return s
}

// plusLog adds c·log2 x of a rational x above 0.
func (s LogSum) plusLog(c, x *big.Rat) LogSum {
	return s.plus(big.NewRat(1, 1), c, x.Num()).plus(big.NewRat(-1, 1), c, x.Denom())
}

// add adds times·other.
func (s LogSum) add(times *big.Rat, other LogSum) LogSum {
	for text, c := range other {
		n, _ := new(big.Int).SetString(text, 10)
		s.plus(times, c, n)
	}
	return s
}

// Score is a quotient of two sums of logarithms; the denominator is above 0.
type Score struct{ over, under LogSum }

func whole(r *big.Rat) Score { return Score{rational(r), rational(big.NewRat(1, 1))} }

func (s Score) times(r *big.Rat) Score { return Score{LogSum{}.add(r, s.over), s.under} }

// compare gives the sign of a − b. It is that of a.over·b.under − b.over·a.under, a sum of products of two logarithms.
func compare(a, b Score) int {
	for digits := uint(96); ; digits *= 2 {
		left, slackLeft := product(a.over, b.under, digits)
		right, slackRight := product(b.over, a.under, digits)
		difference := new(big.Float).SetPrec(digits).Sub(left, right)
		slack := new(big.Float).Add(slackLeft, slackRight)
		if new(big.Float).Abs(difference).Cmp(slack) > 0 {
			return difference.Sign()
		}
		if digits == 96 && vanishes(a, b) {
			return 0
		}
	}
}

// product is the product of two sums, and a bound of its error.
func product(a, b LogSum, digits uint) (*big.Float, *big.Float) {
	x, sizeX := a.float(digits)
	y, sizeY := b.float(digits)
	bound := new(big.Float).Mul(sizeX, sizeY)
	return new(big.Float).SetPrec(digits).Mul(x, y), bound.SetMantExp(bound, 32-int(digits))
}

// float is the sum in so many binary digits, and the sum of the sizes of its terms, at least 1.
func (s LogSum) float(digits uint) (*big.Float, *big.Float) {
	sum, size := new(big.Float).SetPrec(digits), new(big.Float).SetPrec(digits).SetInt64(1)
	for text, c := range s {
		term := new(big.Float).SetPrec(digits).SetRat(c)
		term.Mul(term, log2(text, digits))
		sum.Add(sum, term)
		size.Add(size, new(big.Float).Abs(term))
	}
	return sum, size
}

var known = map[uint]map[string]*big.Float{}

// log2 is the logarithm of a whole number, from ln m = 2 artanh((m − 1)/(m + 1)) with m between 1/2 and 1.
func log2(text string, digits uint) *big.Float {
	if known[digits] == nil {
		known[digits] = map[string]*big.Float{}
	}
	if known[digits][text] == nil {
		n, _, _ := big.ParseFloat(text, 10, digits+uint(4*len(text)), big.ToNearestEven)
		mantissa := new(big.Float)
		exponent := n.MantExp(mantissa)
		ln := artanh(mantissa.SetPrec(digits), digits)
		ln.Quo(ln, artanh(big.NewFloat(2), digits))
		known[digits][text] = ln.Add(ln, new(big.Float).SetInt64(int64(exponent)))
	}
	return known[digits][text]
}

// artanh is that of (m − 1)/(m + 1), for m from 1/2 to 2.
func artanh(m *big.Float, digits uint) *big.Float {
	one := new(big.Float).SetPrec(digits).SetInt64(1)
	z := new(big.Float).SetPrec(digits).Quo(new(big.Float).Sub(m, one), new(big.Float).Add(m, one))
	square, power, sum := new(big.Float).Mul(z, z), new(big.Float).Set(z), new(big.Float).SetPrec(digits)
	for k := int64(1); k <= int64(digits)+1; k += 2 {
		sum.Add(sum, new(big.Float).SetPrec(digits).Quo(power, new(big.Float).SetInt64(k)))
		power.Mul(power, square)
	}
	return sum
}

// vanishes says whether a.over·b.under and b.over·a.under are the same sum of products of logarithms of coprime numbers.
func vanishes(a, b Score) bool {
	basis := coprime(a.over, a.under, b.over, b.under)
	terms := map[[2]int]*big.Rat{}
	for _, factors := range []struct {
		sign int64
		x, y LogSum
	}{{1, a.over, b.under}, {-1, b.over, a.under}} {
		y := factors.y.exponents(basis)
		for i, c := range factors.x.exponents(basis) {
			for j, d := range y {
				key := [2]int{i, j}
				if j < i {
					key = [2]int{j, i}
				}
				if terms[key] == nil {
					terms[key] = new(big.Rat)
				}
				terms[key].Add(terms[key], new(big.Rat).Mul(big.NewRat(factors.sign, 1), new(big.Rat).Mul(c, d)))
			}
		}
	}
	for _, c := range terms {
		if c.Sign() != 0 {
			return false
		}
	}
	return true
}

// exponents writes the sum over the logarithms of the basis.
func (s LogSum) exponents(basis []*big.Int) []*big.Rat {
	found := make([]*big.Rat, len(basis))
	for i, base := range basis {
		found[i] = new(big.Rat)
		for text, c := range s {
			n, _ := new(big.Int).SetString(text, 10)
			for rest := new(big.Int); ; found[i].Add(found[i], c) {
				if n.DivMod(n, base, rest); rest.Sign() != 0 {
					break
				}
			}
		}
	}
	return found
}

// coprime gives whole numbers above 1, each coprime to the others, of which all numbers of the sums are products.
func coprime(sums ...LogSum) []*big.Int {
	var basis []*big.Int
	one := big.NewInt(1)
	var texts []string
	for _, sum := range sums {
		for text := range sum {
			texts = append(texts, text)
		}
	}
	sort.Strings(texts)
	for _, text := range texts {
		n, _ := new(big.Int).SetString(text, 10)
		open := []*big.Int{n}
		for len(open) > 0 {
			n, open = open[len(open)-1], open[:len(open)-1]
			if n.Cmp(one) == 0 {
				continue
			}
			met := false
			for i, base := range basis {
				if shared := new(big.Int).GCD(nil, nil, n, base); shared.Cmp(one) != 0 {
					basis = append(basis[:i], basis[i+1:]...)
					if base.Cmp(shared) == 0 && n.Cmp(shared) == 0 {
						basis = append(basis, base)
					} else {
						open = append(open, shared, new(big.Int).Quo(n, shared), new(big.Int).Quo(base, shared))
					}
					met = true
					break
				}
			}
			if !met {
				basis = append(basis, n)
			}
		}
	}
	return basis
}

// double is the nearest double, as near as 192 binary digits tell.
func (s Score) double() float64 {
	over, _ := s.over.float(192)
	under, _ := s.under.float(192)
	value, _ := over.Quo(over, under).Float64()
	return value
}
