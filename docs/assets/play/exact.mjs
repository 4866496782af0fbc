// Exact numbers: fractions, sums of logarithms to base 2, and quotients of two such sums. They compare without rounding,
// as docs/exact/log_sums.md and docs/exact/log_ratios.md tell. A number is rounded once, when it is written.

const START_BITS = 80;
const CAP_BITS = 1 << 14;

const abs = (n) => (n < 0n ? -n : n);
const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return abs(a); };
const lcm = (a, b) => (a / gcd(a, b)) * b;
const signOf = (n) => (n > 0n ? 1 : n < 0n ? -1 : 0);

export class Fraction {
  constructor(p, q = 1n) {
    const divisor = (gcd(p, q) || 1n) * (q < 0n ? -1n : 1n);
    [this.p, this.q] = [p / divisor, q / divisor];
  }
  plus(other) { return new Fraction(this.p * other.q + other.p * this.q, this.q * other.q); }
  minus(other) { return new Fraction(this.p * other.q - other.p * this.q, this.q * other.q); }
  times(other) { return new Fraction(this.p * other.p, this.q * other.q); }
  over(other) { return new Fraction(this.p * other.q, this.q * other.p); }
  sign() { return signOf(this.p); }
  toString() { return this.q === 1n ? `${this.p}` : `${this.p}/${this.q}`; }
}

// A fraction from what people write: 3, "5/13", "0.697", "-2e-3".
export function fraction(written) {
  if (written instanceof Fraction) return written;
  if (typeof written === "bigint") return new Fraction(written);
  const [, top, decimals = "", power = "0", bottom = "1"] =
    String(written).trim().match(/^([+-]?\d+)(?:\.(\d+))?(?:e([+-]?\d+))?(?:\/(\d+))?$/i) ?? [];
  if (top === undefined || /^0+$/.test(bottom)) throw new RangeError(`${written} is not a number`);
  const places = BigInt(decimals.length) - BigInt(power);
  return new Fraction(BigInt(top + decimals) * (places < 0n ? 10n ** -places : 1n), BigInt(bottom) * (places > 0n ? 10n ** places : 1n));
}

export const ZERO = new Fraction(0n);
export const ONE = new Fraction(1n);
export const total = (numbers) => numbers.reduce((sum, number) => sum.plus(number), ZERO);

// Whole numbers in the same proportions.
export function whole(fractions) {
  const scale = fractions.reduce((found, one) => lcm(found, one.q), 1n);
  return fractions.map((one) => one.p * (scale / one.q));
}

// An integer L with L ≤ 2^bits · log2 n < L + 2: the binary digits of a logarithm, by squaring.
const known = new Map();
function log2Floor(n, bits) {
  const key = `${n} ${bits}`;
  if (!known.has(key)) {
    const width = BigInt(bits + 3);
    const length = BigInt(n.toString(2).length - 1);
    let mantissa = width >= length ? n << (width - length) : n >> (length - width);
    let digits = 0n;
    for (let i = 0; i < bits; i++) {
      mantissa = (mantissa * mantissa) >> width;
      digits <<= 1n;
      if (mantissa >> (width + 1n)) [mantissa, digits] = [mantissa >> 1n, digits | 1n];
    }
    known.set(key, (length << BigInt(bits)) + digits);
  }
  return known.get(key);
}

// Pairwise coprime integers above 1 of which all numbers are products: no number is factored.
function coprimeBase(numbers) {
  const base = [];
  const pending = [...numbers];
  while (pending.length) {
    const a = pending.pop();
    const place = base.findIndex((b) => gcd(a, b) > 1n);
    if (place >= 0) {
      const [b] = base.splice(place, 1);
      pending.push(a / gcd(a, b), b / gcd(a, b), gcd(a, b));
    } else if (a > 1n) base.push(a);
  }
  return base;
}

function exponent(factor, n) {
  let found = 0n;
  for (; n % factor === 0n; n /= factor) found += 1n;
  return found;
}

// The number Σ c·log2 n / over, of integers n > 1. A fraction p/q is p·log2 2 / q.
export class LogSum {
  constructor(over, terms) {
    this.over = over;
    this.terms = new Map();
    for (const [n, c] of terms) {
      const power = BigInt(n.toString(2).length - 1);
      const [base, times] = n === 1n << power ? [2n, c * power] : [n, c];
      if (base > 1n) this.terms.set(base, (this.terms.get(base) ?? 0n) + times);
    }
    for (const [n, c] of this.terms) if (!c || n < 2n) this.terms.delete(n);
  }
  static of(number) { return number instanceof Fraction ? new LogSum(number.q, [[2n, number.p]]) : number; }
  plus(other) {
    const { over, terms } = LogSum.of(other);
    const scaled = [...this.terms].map(([n, c]) => [n, c * over]);
    return new LogSum(this.over * over, [...scaled, ...[...terms].map(([n, c]) => [n, c * this.over])]).#reduced();
  }
  times({ p, q }) { return new LogSum(this.over * q, [...this.terms].map(([n, c]) => [n, c * p])).#reduced(); }
  minus(other) { return this.plus(LogSum.of(other).times(new Fraction(-1n))); }
  #reduced() {
    const divisor = [...this.terms.values()].reduce(gcd, this.over);
    return divisor === 1n ? this : new LogSum(this.over / divisor, [...this.terms].map(([n, c]) => [n, c / divisor]));
  }
  // Integers [low, high] around 2^bits · over · x.
  enclosed(bits) {
    let [low, high] = [0n, 0n];
    for (const [n, c] of this.terms) {
      const least = n === 2n ? 1n << BigInt(bits) : log2Floor(n, bits);
      const most = n === 2n ? least : least + 2n;
      [low, high] = c > 0n ? [low + c * least, high + c * most] : [low + c * most, high + c * least];
    }
    return [low, high];
  }
  sign() {
    const signs = new Set([...this.terms.values()].map(signOf));
    if (signs.size < 2) return [...signs][0] ?? 0;
    for (let bits = START_BITS; ; bits *= 2) {
      const [low, high] = this.enclosed(bits);
      if (low > 0n || high < 0n) return low > 0n ? 1 : -1;
      if (bits === START_BITS && isProportional([this], [new LogSum(1n, [])])) return 0;
    }
  }
  // The fraction that it is, or null.
  rational() {
    const [mine, one] = coordinates([this, LogSum.of(ONE)]);
    const at = one.findIndex((c) => c);
    return mine.every((c, i) => c * one[at] === mine[at] * one[i]) ? new Fraction(mine[at], one[at] * this.over) : null;
  }
}

// Coefficients (without the denominators) in logarithms that are linearly independent over the rationals.
function coordinates(sums) {
  const base = coprimeBase(new Set(sums.flatMap((sum) => [...sum.terms.keys()])));
  return sums.map((sum) => base.map((b) => [...sum.terms].reduce((found, [n, c]) => found + c * exponent(b, n), 0n)));
}

// Whether the sums (x, ...) are one fraction times the sums (y, ...); of a zero y: whether each x is 0.
function isProportional(xs, ys) {
  const rows = coordinates([...xs, ...ys]);
  const x = xs.flatMap((sum, i) => rows[i].map((c) => new Fraction(c, sum.over)));
  const y = ys.flatMap((sum, i) => rows[xs.length + i].map((c) => new Fraction(c, sum.over)));
  const at = y.findIndex((c) => c.p);
  if (at < 0) return x.every((c) => !c.p);
  const factor = x[at].over(y[at]);
  return x.every((c, i) => !c.minus(y[i].times(factor)).p);
}

// A quotient of two sums, the second above 0.
export class Ratio {
  constructor(top, bottom) { [this.top, this.bottom] = [LogSum.of(top), LogSum.of(bottom)]; }
  sign() { return this.top.sign(); }
  times(factor) { return new Ratio(this.top.times(factor), this.bottom); }
  rational() { return isProportional([this.top], [this.bottom]) ? ratioOf(this.top, this.bottom) : null; }
  // Whole numbers around 2^bits · x · scale.
  enclosed(bits) {
    const [low, high] = this.top.enclosed(bits);
    const [small, large] = this.bottom.enclosed(bits);
    if (small <= 0n) return this.enclosed(bits * 2);
    const unit = 1n << BigInt(bits);
    const [up, down] = [this.bottom.over * unit, this.top.over];
    const floor = (a, b) => (a >= 0n ? a / b : -((-a + b - 1n) / b));
    return [floor(low * up, down * (low > 0n ? large : small)), -floor(-high * up, down * (high > 0n ? small : large))];
  }
  get over() { return 1n; }
}

function ratioOf(x, y) {
  const [a, b] = coordinates([x, y]);
  const at = b.findIndex((c) => c);
  return at < 0 ? ZERO : new Fraction(a[at] * y.over, b[at] * x.over);
}

// -1, 0 or 1: a tie is proved, and so is an order.
export function compare(x, y) {
  if (!(x instanceof Ratio || y instanceof Ratio)) {
    return x instanceof Fraction && y instanceof Fraction ? x.minus(y).sign() : LogSum.of(x).minus(y).sign();
  }
  const [a, b] = [x, y].map((one) => (one instanceof Ratio ? one : new Ratio(one, ONE)));
  for (let bits = START_BITS; bits <= CAP_BITS; bits *= 2) {
    const [[low, high], [less, more]] = [a.enclosed(bits), b.enclosed(bits)];
    if (low > more || high < less) return low > more ? 1 : -1;
    if (bits === START_BITS) {
      const [p, q] = [a.rational(), b.rational()];
      if (p && q) return p.minus(q).sign();
      if (isProportional([a.top, a.bottom], [b.top, b.bottom])) return 0;
    }
  }
  throw new RangeError("two ratios could not be told apart");
}

export const isAtLeast = (x, y) => compare(x, y) >= 0;
export const largest = (numbers) => numbers.reduce((most, one) => (compare(one, most) > 0 ? one : most));
export const smallest = (numbers) => numbers.reduce((least, one) => (compare(one, least) < 0 ? one : least));

// A number with so many decimals, correctly rounded, ties to even.
export function decimal(number, places = 6) {
  const unit = 10n ** BigInt(places);
  const rational = number instanceof Fraction ? number : number.rational();
  let found = rational && rounded(rational.p * unit, rational.q);
  for (let bits = START_BITS; found === null; bits *= 2) {
    const [low, high] = number.enclosed(bits).map((one) => rounded(one * unit, number.over << BigInt(bits)));
    if (low === high) found = low;
  }
  const digits = `${abs(found)}`.padStart(places + 1, "0");
  return (found < 0n ? "-" : "") + (places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits);
}

function rounded(p, q) { // q > 0
  const down = p >= 0n ? p / q : -((-p + q - 1n) / q);
  const rest = 2n * (p - down * q);
  return rest > q || (rest === q && down % 2n) ? down + 1n : down;
}

// In at most three decimals; a fraction, in decimals if it is long; one with its numerator above its denominator.
export const short = (number) => decimal(number, 3).replace(/\.?0+$/, "");
export const brief = (number) => (number.q < 10000n ? `${number}` : decimal(number, 7));
export function stacked(name, number) {
  const [above, below = ""] = number.q > 99999n ? [short(number)] : `${number}`.split("/");
  return { [name]: above, [`${name}d`]: below };
}

// For drawing only.
export const approximately = (number) => Number(decimal(number, 17));

// As people write it, in logarithms of primes, so that equal numbers look alike: "1 + log₂7 − 9/7·log₂3".
export function written(number) {
  if (number instanceof Ratio) {
    const rational = number.rational();
    return rational ? `${rational}` : `(${written(number.top)}) / (${written(number.bottom)})`;
  }
  if (number instanceof Fraction) return `${number}`;
  const terms = new Map();
  for (const [n, c] of number.terms) for (const [p, e] of factors(n)) terms.set(p, (terms.get(p) ?? 0n) + c * e);
  const order = ([p, c]) => [c < 0n ? 1 : 0, p === 2n ? 0 : 1, -Number(p)];
  const sorted = [...terms].filter(([, c]) => c).sort((a, b) => order(a).map((x, i) => x - order(b)[i]).find(Boolean) ?? 0);
  const said = sorted.map(([p, c], i) => {
    const size = new Fraction(abs(c), number.over);
    const factor = p === 2n ? `${size}` : size.p === size.q ? `log₂${p}` : `${size}·log₂${p}`;
    return (c < 0n ? (i ? " − " : "−") : i ? " + " : "") + factor;
  });
  return said.join("") || "0";
}

function factors(n) {
  const found = [];
  for (let p = 2n; p * p <= n; p += 1n) {
    const e = exponent(p, n);
    if (e) [n, found[found.length]] = [n / p ** e, [p, e]];
  }
  return n > 1n ? [...found, [n, 1n]] : found;
}
