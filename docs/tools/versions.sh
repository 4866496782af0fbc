#!/usr/bin/env bash
# The site of a branch or a tag, added to those of the other versions on the branch gh-pages by mike, and pushed:
#
#     REMOTE=ADDRESS SITE_URL=https://... bash docs/tools/versions.sh main|v1.2.3
#
# main is dev; v1.2.3 is 1.2, with a switcher, and latest if no later version is there. Its pages name the address that they
# have under latest as theirs. What the site needs beside MkDocs has been built before (bash .ci/run site).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[ -n "${SITE_URL:-}" ] && [ -n "${REMOTE:-}" ] || { echo "SITE_URL and REMOTE have to be told" >&2; exit 2; }
export NO_MKDOCS_2_WARNING=1 VERSIONS=mike

git fetch -q "$REMOTE" gh-pages:gh-pages 2>/dev/null || echo "there is no site yet"
case "$1" in
v*.*.*)
    version=${1#v}
    minor=${version%.*}
    newest=$({ git show gh-pages:versions.json 2>/dev/null || echo '[]'; } |
        python3 -c "import json, sys; print('\n'.join(one['version'] for one in json.load(sys.stdin)))" |
        { cat; echo "$minor"; } | grep -x '[0-9]*\.[0-9]*' | sort -V | tail -n 1)
    aliases=()
    [ "$newest" != "$minor" ] || aliases=(latest)
    mike deploy --update-aliases --alias-type copy --title "$version" "$minor" "${aliases[@]}"
    mike set-default latest
    ;;
*) mike deploy --title "of today" dev ;;
esac
git push -q "$REMOTE" gh-pages
