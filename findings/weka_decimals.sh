#!/usr/bin/env bash
# Weka 3.9.7: J48 takes -num-decimal-places, and prints six decimals whatever it says; REPTree prints two unless told.
#
# So what REPTree prints of a tree with the threshold 0.0045 has the threshold 0, and no row of the training data seems
# to go below it, while the text says that some did. For J48 the option changes nothing.
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

python3 - >"$folder/rows.arff" <<'PY'
print("@relation rows\n@attribute x numeric\n@attribute class {a,b}\n@data")
for i in range(60):
    print(f"{i / 7300 + 1 / 31000:.12f},{'a' if i < 33 else 'b'}")
PY

run() {
    java --add-opens java.base/java.lang=ALL-UNNAMED -cp "$jar" "$@" 2>/dev/null || true
}
thresholds() {
    run "weka.classifiers.trees.$1" -no-cv -t "$folder/rows.arff" "${@:2}" | sed -n 's/^x <=* \([^ ]*\) *: .*/\1/p'
}
run weka.core.Version | sed -n '1s/^/Weka /p'
rep_tree=$(thresholds REPTree) rep_tree_6=$(thresholds REPTree -num-decimal-places 6)
j48=$(thresholds J48) j48_2=$(thresholds J48 -num-decimal-places 2)
echo "REPTree                        x < $rep_tree"
echo "REPTree -num-decimal-places 6  x < $rep_tree_6"
echo "J48                            x <= $j48"
echo "J48 -num-decimal-places 2      x <= $j48_2"
[ "$rep_tree" = 0 ] && [ "$rep_tree_6" != 0 ] && [ "$j48" = "$j48_2" ] && [ "${#j48_2}" -gt 6 ]
