// Measures, in doubles. A table has a row of class weights for each branch; moments are [n, sum of y, sum of y squared].

export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
export const columns = (rows) => rows[0].map((_, j) => sum(rows.map((row) => row[j])));

// Summed over the classes that are there, a pure sample has an entropy of exactly 0.
export function entropy(counts) {
  const n = sum(counts);
  return sum(counts.filter((c) => c > 0 && c < n).map((c) => (-c / n) * Math.log2(c / n)));
}

export function gini(counts) {
  const n = sum(counts);
  return 1 - sum(counts.map((c) => (c / n) ** 2));
}

export const variance = ([n, wy, wyy]) => (n ? wyy / n - (wy / n) ** 2 : 0);
export const sampleVariance = ([n, wy, wyy]) => (n > 1 ? (wyy - (wy * wy) / n) / (n - 1) : 0);

const weigh = { class: sum, number: (moments) => moments[0] };

// The mean of an impurity over the branches, by their weight.
export function within(impurity, rows, kind = "class") {
  const weights = rows.map(weigh[kind]);
  return sum(rows.map((row, i) => (weights[i] ? (weights[i] / sum(weights)) * impurity(row) : 0)));
}

export const decrease = (impurity, rows, kind = "class") => impurity(columns(rows)) - within(impurity, rows, kind);
export const conditionalEntropy = (rows) => within(entropy, rows);
export const gain = (rows) => decrease(entropy, rows);
export const splitInformation = (rows) => entropy(rows.map(sum));
export const gainRatio = (rows) => gain(rows) / splitInformation(rows);
export const giniIndex = (rows) => within(gini, rows);
export const splitError = (rows) => sum(rows.map(([n, wy, wyy]) => (n ? wyy - (wy * wy) / n : 0)));

// What a score says of the rows that answer counts by their share of the weight.
export function known(score, rows, unknown, kind = "class") {
  const weight = sum(rows.map(weigh[kind]));
  return (weight / (weight + weigh[kind](unknown))) * score(rows);
}

// The formulas of the goldens that this program answers.
export const FORMULAS = {
  "measures.entropy.entropy": entropy,
  "measures.entropy.entropy_of_proportion": (p) => entropy([p, 1 - p]),
  "measures.conditional_entropy.conditional_entropy": conditionalEntropy,
  "measures.information_gain.information_gain": gain,
  "measures.gain_ratio.gain_ratio": gainRatio,
  "measures.gain_ratio.split_information": splitInformation,
  "measures.gini_index.gini": gini,
  "measures.gini_index.gini_index": giniIndex,
  "measures.gini_index.gini_decrease": (rows) => decrease(gini, rows),
  "measures.gini_index.binary_gini_index": (rows, at) => {
    const total = columns(rows);
    return giniIndex([rows[at], total.map((n, j) => n - rows[at][j])]);
  },
  "measures.variance.mean": ([n, wy]) => wy / n,
  "measures.variance.variance": variance,
  "measures.variance.sample_variance": sampleVariance,
  "measures.variance.split_error": splitError,
  "measures.variance.variance_reduction": (rows, unbiased) => decrease(unbiased ? sampleVariance : variance, rows, "number"),
  "splitting.missing_values.gain_with_missing": (rows, unknown) => known(gain, rows, unknown),
};
