// A bag of dots: how surprising each class is, and the average of that, the entropy.
import { ONE, ZERO, approximately, compare, decimal, fraction, LogSum, written } from "./exact.mjs";
import { entropy } from "./learn.mjs";

const MOST = 24;

function put({ counts }, k, step) {
  const next = counts.map((n, at) => (at === Number(k) ? n + Number(step) : n));
  const all = next.reduce((sum, n) => sum + n, 0);
  return next.some((n) => n < 0) || all < 1 || all > MOST ? null : { counts: next };
}

export function view({ counts }, figure) {
  const numbers = counts.map(fraction);
  const all = counts.reduce((sum, n) => sum + n, 0);
  const h = entropy(numbers);
  const texts = { all: `${all}`, exact: written(h), entropy: decimal(h) };
  counts.forEach((n, k) => {
    const surprise = n ? new LogSum(1n, [[BigInt(all), 1n], [BigInt(n), -1n]]) : ZERO;
    const share = fraction(`${n}/${all}`);
    Object.assign(texts, {
      [`n${k}`]: `${n}`, [`p${k}`]: `${share}`, [`s${k}`]: n ? decimal(surprise, 4) : "–", [`w${k}`]: n ? decimal(surprise.times(share), 4) : "0",
    });
  });
  const kinds = counts.filter(Boolean).length;
  const most = new LogSum(1n, [[BigInt(counts.length), 1n]]);
  const ask = kinds === 1 ? "sure" : compare(h, entropy(numbers.filter((n) => n.sign()).map(() => ONE))) ? "mixed" : "even";
  texts.says = figure.say(ask, { kinds, entropy: decimal(h) });
  return { texts, counts: { bag: counts }, shares: { entropy: approximately(h) / approximately(most) } };
}

export const does = { put, set: (_, ...counts) => ({ counts: counts.map(Number) }) };
