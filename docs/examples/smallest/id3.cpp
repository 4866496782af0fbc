// ID3, as small as a whole program can be: prompts in, answers out.
// c++ -std=c++17 -O1 -o id3 id3.cpp && ./id3 < prompts.jsonl > answers.jsonl
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>
using namespace std;

// JSON: a value keeps its own text, so that a text can be written back as it came.
struct Value {
  string text;                  // of a text, a number, true, false and null, as it is written
  vector<Value> items;          // of a list
  map<string, Value> members;   // of an object
  const Value& operator[](const string& name) const {
    static const Value none;
    auto found = members.find(name);
    return found == members.end() ? none : found->second;
  }
};

struct Reader {
  const string& line;
  size_t at = 0;
  char next() {
    while (isspace(static_cast<unsigned char>(line[at]))) at++;
    return line[at];
  }
  Value value() {
    Value found;
    size_t from = (next(), at);
    if (line[at] == '"') {
      for (at++; line[at] != '"'; at++) at += line[at] == '\\';
      at++;
    } else if (line[at] == '[') {
      for (at++; next() != ']'; at += next() == ',') found.items.push_back(value());
      at++;
    } else if (line[at] == '{') {
      for (at++; next() != '}'; at += next() == ',') {
        string name = value().text;
        at += next() == ':';
        found.members[name.substr(1, name.size() - 2)] = value();
      }
      at++;
    } else {
      while (at < line.size() && string(",]} \t\r").find(line[at]) == string::npos) at++;
    }
    found.text = line.substr(from, at - from);
    return found;
  }
};

using Rows = vector<const vector<Value>*>;

double entropy(const Rows& rows, size_t target) {
  map<string, double> counts;
  for (auto row : rows) counts[(*row)[target].text]++;
  double sum = 0, n = rows.size();
  for (auto& [label, c] : counts)
    if (c < n) sum -= c / n * log2(c / n);
  return sum;
}

double gain(const Rows& rows, size_t place, size_t target) {
  map<string, Rows> parts;
  for (auto row : rows) parts[(*row)[place].text].push_back(row);
  if (parts.size() < 2) return -1;
  double within = 0;
  for (auto& [value, part] : parts) within += static_cast<double>(part.size()) / rows.size() * entropy(part, target);
  return entropy(rows, target) - within;
}

struct Place {
  vector<size_t> at;
  Rows rows;
  vector<size_t> left;
  string above;
};

// The decision at each node, in preorder.
void grow(const Value& data) {
  const auto& columns = data["columns"].items;
  size_t target = 0;
  while (columns[target]["name"].text != data["target"].text) target++;
  Place root;
  for (auto& row : data["rows"].items) root.rows.push_back(&row.items);
  for (size_t place = 0; place < columns.size(); place++)
    if (place != target) root.left.push_back(place);
  vector<Place> pending{root};
  for (bool first = true; !pending.empty(); first = false) {
    Place here = pending.back();
    pending.pop_back();
    map<string, size_t> counts;
    for (auto row : here.rows) counts[(*row)[target].text]++;
    string label = here.above;  // an empty branch says as its parent
    size_t most = 0;
    for (auto& value : columns[target]["values"].items)  // of classes that are equally frequent, the first
      if (counts.count(value.text) && counts[value.text] > most) label = value.text, most = counts[value.text];
    double best = -1;
    vector<double> scores;
    for (size_t place : here.left) scores.push_back(here.rows.empty() ? -1 : gain(here.rows, place, target));
    for (double score : scores) best = max(best, score);
    string at;
    for (size_t branch : here.at) at += (at.empty() ? "" : ", ") + to_string(branch);
    cout << (first ? "" : ", ") << "{\"at\": [" << at << "], \"answer\": {\"label\": " << label << "}, ";
    if (best == -1 || counts.size() == 1) {
      const char* stop = here.rows.empty() ? "empty" : counts.size() == 1 ? "pure" : here.left.empty() ? "no-attributes" : "no-candidates";
      cout << "\"stop\": \"" << stop << "\"}";
      continue;
    }
    size_t chosen = 0;
    while (scores[chosen] < best - 1e-12) chosen++;  // equal but for rounding: the first
    size_t place = here.left[chosen];
    cout << "\"chosen\": {\"kind\": \"multiway\", \"attribute\": " << columns[place]["name"].text << "}}";
    const auto& values = columns[place]["values"].items;
    for (size_t branch = values.size(); branch-- > 0;) {
      Place below{here.at, {}, here.left, label};
      below.at.push_back(branch);
      below.left.erase(below.left.begin() + chosen);
      for (auto row : here.rows)
        if ((*row)[place].text == values[branch].text) below.rows.push_back(row);
      pending.push_back(below);
    }
  }
}

int main() {
  for (string line; getline(cin, line);) {
    Value prompt = Reader{line}.value();
    const Value &learner = prompt["learner"], &options = learner["options"], &chi = options["chi_squared"];
    bool is_plain = learner["name"].text == "\"id3\"" && options["epsilon"].text == "\"0\"" && options["max_depth"].text == "null" &&
                    options["min_samples_split"].text == "\"0\"" && options["min_samples_leaf"].text == "\"0\"" &&
                    (chi.text.empty() || chi.text == "\"0\"");
    if (prompt["kind"].text != "\"tree\"" || !prompt["needs"].items.empty() || !is_plain) continue;
    cout << "{\"id\": " << prompt["id"].text << ", \"answer\": {\"decisions\": [";
    grow(prompt["data"]);
    cout << "]}}\n";
  }
}
