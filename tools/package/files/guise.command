#!/bin/sh
# Starts Guise and opens the studio. The window shows what it does; closing it stops Guise.
folder=$(cd "$(dirname "$0")" && pwd)
case $(uname -s) in
  Darwin) data="$HOME/Library/Application Support/Guise" ;;
  *) data="${XDG_DATA_HOME:-$HOME/.local/share}/guise" ;;
esac
export GUISE_DATA_DIR="${GUISE_DATA_DIR:-$data}"
node=node
for brought in "$folder"/node_modules/node-*/bin/node "$folder"/../node-*/bin/node; do
  if [ -x "$brought" ]; then node=$brought; fi
done
exec "$node" "$folder/packages/server/src/cli/guise.js" start --open
