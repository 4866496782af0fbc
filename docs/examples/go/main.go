// A learner in Go, exact: whole and rational numbers of any size, and logarithms that are compared until their sign is known.
//
//	go build -o learner *.go && ./learner < prompts.jsonl
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
)

// Case is a prompt.
type Case struct {
	ID        string
	Kind      string
	Needs     []string
	Formula   string
	Arguments []any
	Learner   struct {
		Name    string
		Profile string
		Options map[string]any
	}
	Data   Data
	Tree   []Node
	Unseen string
	Rows   [][]string
}

// Data is a table as a golden has it.
type Data struct {
	Target  string
	Columns []Column
	Weights []string
	Rows    [][]string
}

// Column is an attribute or the target.
type Column struct {
	Name   string
	Kind   string
	Values []string
}

func answer(one Case) any {
	switch one.Kind {
	case "formula":
		return formula(one.Formula, one.Arguments)
	case "split", "tree":
		if learner := learnerOf(one); learner != nil {
			return map[string]any{"decisions": learner.grow(one.Data, one.Kind == "split")}
		}
	case "predict":
		return map[string]any{"predictions": predictions(one)}
	}
	return nil
}

func main() {
	lines, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var one Case
		reader := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		reader.UseNumber()
		if err := reader.Decode(&one); err != nil {
			panic(err)
		}
		if found := answer(one); found != nil {
			line, _ := json.Marshal(map[string]any{"id": one.ID, "answer": found})
			out.Write(append(line, '\n'))
		}
	}
}
