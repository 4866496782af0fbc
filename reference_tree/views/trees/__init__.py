"""A tree, shown: as text, as rules, for Graphviz and Mermaid, and as a drawing in SVG."""
