// Attributes that become known, in every order: what each adds, and the mean, which is its Shapley value.
import { ZERO, brief, fraction, total } from "./exact.mjs";

export const does = {
  switch: (state, i) => ({ ...state, known: state.known.map((one, at) => (at === Number(i) ? 1 - one : one)) }),
  next: (state) => ({ ...state, day: (state.day + 1) % state.days.length }),
};

// All orders of some places, in the order of words.
const permutations = (places) => (places.length < 2 ? [places]
  : places.flatMap((first) => permutations(places.filter((one) => one !== first)).map((rest) => [first, ...rest])));

function added(v, order) {
  const found = [];
  let bits = 0;
  for (const i of order) {
    found[i] = v[bits | (1 << i)].minus(v[bits]);
    bits |= 1 << i;
  }
  return found;
}

export function view({ names, days, day, known }, figure) {
  const v = days[day][1].map(fraction);
  const bits = known.reduce((sum, one, i) => sum + (one << i), 0);
  const orders = permutations(names.map((_, i) => i));
  const each = orders.map((order) => added(v, order));
  const texts = { day: days[day][0] }, marks = {};
  known.forEach((one, i) => { marks[`s${i}`] = one ? "value on" : "value"; });
  orders.forEach((order, place) => {
    const begins = order.slice(0, -1).map((_, at) => order.slice(0, at + 1).reduce((sum, i) => sum + (1 << i), 0));
    marks[`o${place}`] = begins.includes(bits) ? "best" : "";
    names.forEach((_, i) => { texts[`a${place}.${i}`] = brief(each[place][i]); });
  });
  names.forEach((_, i) => { texts[`m${i}`] = brief(total(each.map((one) => one[i])).over(fraction(`${each.length}`))); });
  const told = names.filter((_, i) => known[i]).join(", ") || figure.say("nothing");
  texts.says = figure.say("expected", { known: told, value: brief(v[bits]), start: brief(v[0] ?? ZERO), end: brief(v.at(-1)) });
  return { texts, marks };
}
