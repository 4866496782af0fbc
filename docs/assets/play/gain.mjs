// Rows whose cells change, and the questions that compete: each with its branches and its gain, ties included.
import { approximately, decimal, written } from "./exact.mjs";
import { decide, learner, read } from "./learn.mjs";

const put = ({ columns, rows }, row, place, value) => ({
  columns, rows: rows.map((cells, at) => cells.map((cell, j) => (at === Number(row) && j === Number(place) ? columns[j][1][value] : cell))),
});

export const does = {
  turn: (state, row, place) => {
    const [, values] = state.columns[place];
    return put(state, row, place, (values.indexOf(state.rows[row][place]) + 1) % values.length);
  },
  put: (state, row, place, value, ...more) => (more.length ? does.put(put(state, row, place, value), ...more) : put(state, row, place, value)),
};

export function view({ columns, rows }, figure) {
  const named = columns.map(([name, values]) => ({ name, kind: "categorical", values }));
  const { candidates, winners } = decide(read({ columns: named, target: named.at(-1).name, rows }), learner("id3"));
  const texts = {}, counts = {}, shares = {}, marks = {};
  rows.forEach((cells, row) => cells.forEach((cell, place) => { texts[`c${row}.${place}`] = cell; }));
  named.slice(0, -1).forEach(({ name, values }, a) => {
    const found = candidates.find(({ question }) => question.place === a);
    const gain = found?.scores.gain;
    texts[`g${a}`] = gain ? decimal(gain) : "–";
    shares[a] = gain ? approximately(gain) : 0;
    marks[a] = !winners.includes(found) ? "" : winners.length > 1 ? "best tie" : "best";
    values.forEach((value, v) => {
      const branch = rows.filter((cells) => cells[a] === value).map((cells) => cells.at(-1));
      counts[`${a}.${v}`] = named.at(-1).values.map((label) => branch.filter((one) => one === label).length);
    });
  });
  return { texts: { ...texts, ...told(candidates, winners, figure) }, counts, shares, marks };
}

function told(candidates, winners, figure) {
  if (!winners.length) return { says: figure.say("none"), exact: "" };
  const names = winners.map(({ question }) => question.test.attribute).join(figure.say("and"));
  const gain = (one) => one.scores.gain;
  const exact = written(gain(winners[0]));
  if (winners.length > 1) return { says: figure.say("tied", { names }), exact };
  const others = candidates.filter((one) => one !== winners[0] && gain(one));
  if (!others.length) return { says: figure.say("alone", { names }), exact };
  const second = others.reduce((most, one) => (gain(one).minus(gain(most)).sign() > 0 ? one : most));
  return { says: figure.say("wins", { names, margin: decimal(gain(winners[0]).minus(gain(second))), second: second.question.test.attribute }), exact };
}
