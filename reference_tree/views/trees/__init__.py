"""A tree as text, as rules, for Graphviz and Mermaid, and as a drawing in SVG."""
