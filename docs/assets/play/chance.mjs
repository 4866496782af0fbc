// The draws of the package: blocks of SHA-256 of a seed, a key and a number, as docs/chance.md tells.

const BYTES = new TextEncoder();
const part = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
const PRIMES = Array.from({ length: 311 }, (_, n) => n + 2).filter((n, i, all) => all.slice(0, i).every((d) => n % d)).slice(0, 64);
const K = PRIMES.map((p) => part(Math.cbrt(p)));
const turn = (x, n) => (x >>> n) | (x << (32 - n));

export function sha256(message) {
  const padded = new DataView(new ArrayBuffer(((message.length + 72) >> 6) << 6));
  message.forEach((byte, i) => padded.setUint8(i, byte));
  padded.setUint8(message.length, 128);
  padded.setUint32(padded.byteLength - 4, message.length * 8);
  const state = PRIMES.slice(0, 8).map((p) => part(Math.sqrt(p)));
  const w = new Int32Array(64);
  for (let start = 0; start < padded.byteLength; start += 64) {
    for (let i = 0; i < 64; i++) {
      const [x, y] = [w[i - 15], w[i - 2]];
      w[i] = i < 16 ? padded.getInt32(start + 4 * i)
        : w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => { state[i] = (state[i] + x) | 0; });
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((x, i) => digest.setInt32(4 * i, x));
  return new Uint8Array(digest.buffer);
}

// A whole number in eight bytes, the highest first.
export const eight = (n) => [0, 0, 0, 0, ...[24, 16, 8, 0].map((bits) => (n >>> bits) & 255)];

export class Chance {
  constructor(seed, key = []) {
    Object.assign(this, { number: 0, prefix: [...BYTES.encode(`${seed}`), 0, ...(typeof key === "string" ? BYTES.encode(key) : key), 0] });
  }
  // One of 0, ..., n - 1, with n at most 2^32: the first bits of a block; a block that is too large is rejected.
  below(n) {
    const bits = n > 1 ? (n - 1).toString(2).length : 0;
    for (;;) {
      const block = sha256([...this.prefix, ...eight(this.number++)]);
      const drawn = bits && new DataView(block.buffer).getUint32(0) >>> (32 - bits);
      if (drawn < n) return drawn;
    }
  }
  // Fisher and Yates: each item when its place is drawn, from the last place down.
  *oneByOne(items) {
    const left = [...items];
    while (left.length > 1) {
      const j = this.below(left.length);
      [left[left.length - 1], left[j]] = [left[j], left.at(-1)];
      yield left.pop();
    }
    yield* left;
  }
  shuffled(items) { return [...this.oneByOne(items)].reverse(); }
}

// How often each of m rows is drawn in m draws with replacement, for a tree.
export function bootstrap(m, seed, number) {
  const chance = new Chance(seed, `bootstrap ${number}`);
  const drawn = Array(m).fill(0);
  for (let i = 0; i < m; i++) drawn[chance.below(m)] += 1;
  return drawn;
}
