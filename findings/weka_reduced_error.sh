#!/usr/bin/env bash
# Weka 3.9.7: J48 with -R (reduced-error pruning) grows no tree, whatever the data; it ends with the error "Model selection
# method not implemented". Weka 3.6.14 grows and prunes it.
#
# Needs Java. Weka is taken from the package python-weka-wrapper3, which brings it along; nothing of the package is run.
# Exits with 1 if that is no longer so, and with 2 if there is no Java.
set -eu
command -v java >/dev/null || { echo "NOT SHOWN: there is no Java here"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" -q download --no-deps --no-binary :all: -d "$folder" python-weka-wrapper3==0.3.3
tar -xzf "$folder"/python_weka_wrapper3-0.3.3.tar.gz -C "$folder"
jar=$(find "$folder" -name weka.jar)

{
    printf '@relation rows\n@attribute x {p,q}\n@attribute class {a,b}\n@data\n'
    for _ in $(seq 30); do printf 'p,a\nq,b\n'; done
} >"$folder/rows.arff"

run() {
    java --add-opens java.base/java.lang=ALL-UNNAMED -cp "$jar" "$@" 2>&1 || true
}
run weka.core.Version | sed -n '/^3/s/^/Weka /p'
echo "J48     $(run weka.classifiers.trees.J48 -no-cv -t "$folder/rows.arff" | grep -m 1 '^x = p')"
echo "J48 -R  $(run weka.classifiers.trees.J48 -R -no-cv -t "$folder/rows.arff" | grep -m 1 Exception)"
run weka.classifiers.trees.J48 -R -no-cv -t "$folder/rows.arff" | grep -q "Model selection method not implemented"
