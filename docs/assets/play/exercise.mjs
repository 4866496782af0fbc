// An exercise that answers back: what a reader types is compared with the exact answer, and with what each classic
// mistake leads to. All these numbers come with the page; nothing is computed here but what was typed.
import { Fraction, LogSum, ONE, Ratio, compare, decimal, fraction } from "./exact.mjs";

const PLACES = 3; // so many decimals tell one number from another
const NEAR = fraction("5/1000");

// What people type, in the signs of a formula: full-width signs, a comma in a number, percents.
const plain = (typed) => typed.normalize("NFKC").trim().toLowerCase().replace(/[−–]/g, "-").replace(/[·×]/g, "*").replace(/[÷⁄]/g, "/")
  .replace(/(\d),(\d)/g, "$1.$2").replace(/^([^%]+)%$/, "($1)/100");

// The number that a formula of fractions and log2 stands for.
export function value(typed) {
  const signs = plain(typed).match(/log2|\d+(?:\.\d+)?|\.\d+|[-+*/()]|\S/g) ?? [];
  const take = (sign) => signs[0] === sign && signs.shift();
  const failed = () => { throw new RangeError(`${typed} is no number`); };
  function factor() {
    if (take("-")) return factor().times(new Fraction(-1n));
    if (take("log2")) {
      const x = factor();
      if (!(x instanceof Fraction) || x.sign() <= 0) failed();
      return new LogSum(1n, [[x.p, 1n], [x.q, -1n]]);
    }
    if (take("(")) {
      const inside = sum();
      return take(")") ? inside : failed();
    }
    const number = signs.shift() ?? "";
    return /^[\d.]/.test(number) ? fraction(number.replace(/^\./, "0.")) : failed();
  }
  function product() {
    let found = factor();
    for (;;) {
      if (take("*")) {
        const other = factor();
        found = other instanceof Fraction ? found.times(other) : found instanceof Fraction ? other.times(found) : failed();
      } else if (take("/")) {
        const other = factor();
        if (!other.sign()) failed();
        found = other instanceof Fraction ? found.times(ONE.over(other)) : other.sign() > 0 ? new Ratio(found, other) : failed();
      } else return found;
    }
  }
  function sum() {
    let found = take("+") ? product() : product();
    for (;;) {
      const sign = take("+") || take("-");
      if (!sign) return found;
      const other = product();
      if (found instanceof Ratio || other instanceof Ratio) failed();
      const [a, b] = other instanceof LogSum ? [LogSum.of(found), other] : [found, other];
      found = sign === "+" ? a.plus(b) : a.minus(b);
    }
  }
  const found = sum();
  return signs.length ? failed() : found;
}

// How many decimals were typed; null: it is a fraction or a formula, and so exact.
const places = (typed) => plain(typed).match(/^-?\d*(?:\.(\d+))?$/)?.slice(1).map((digits) => digits?.length ?? 0)[0] ?? null;

const DIGITS = 20; // of a number that the page has in decimals only
const isEqual = (x, y) => !compare(x, y) || decimal(x, DIGITS) === decimal(y, DIGITS);

// What there is to say of an answer: the name of a word.
export function judge({ right, wrong, options }, typed) {
  if (options.length) {
    if (typed === right) return "right";
    const found = Object.keys(wrong).find((name) => wrong[name] === typed);
    return found ? `wrong_${found}` : "wrong_choice";
  }
  let x;
  try { x = value(typed); } catch { return "unread"; }
  const given = places(typed);
  const made = (is) => Object.keys(wrong).find((name) => is(value(wrong[name])));
  const isExact = (y) => isEqual(x, y);
  const isRounded = (y) => decimal(x, given) === decimal(y, given);
  if (isExact(value(right))) return "right";
  if (made(isExact)) return `wrong_${made(isExact)}`;
  if (given > 0 && isRounded(value(right))) return given < PLACES ? "short" : "right";
  if (given > 1 && made(isRounded)) return `wrong_${made(isRounded)}`;
  const isNear = (y) => compare(x, fraction(decimal(y, DIGITS)).plus(NEAR)) < 0 && compare(x, fraction(decimal(y, DIGITS)).minus(NEAR)) > 0;
  return isNear(value(right)) ? "near" : "wrong";
}

const NOTHING = { said: null, typed: null };
const answered = (state, typed) => ({ ...state, typed, said: judge(state.tasks[state.at], typed) });

export const does = {
  another: (state) => ({ ...state, ...NOTHING, at: (state.at + 1) % state.tasks.length }),
  check: (state, ...typed) => (typed.join(" ").trim() ? answered(state, typed.join(" ")) : { ...state, ...NOTHING }),
  choose: (state, i) => answered(state, state.tasks[state.at].options[i]),
};

export function view({ tasks, at, said, typed }, figure) {
  const { ask, cells, options, steps } = tasks[at];
  const texts = { ask, steps, told: said ? figure.say(said) : "" };
  cells.forEach((row, i) => row.forEach((cell, j) => { texts[`t${i}.${j}`] = cell; }));
  const marks = { verdict: said === "right" ? "verdict good" : said ? "verdict bad" : "verdict" };
  options.forEach((option, i) => {
    texts[`o${i}`] = option;
    marks[`o${i}`] = option === typed ? "on" : "";
  });
  return { texts, marks };
}

export function begins(figure) {
  const form = figure.find("form");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    figure.act(does, "check", form.elements[0].value);
    figure.show();
  });
  figure.find("[data-does=another]").addEventListener("click", () => {
    figure.find("details").open = false;
    if (form) form.elements[0].value = "";
  });
}
