import type { FileToGet } from './propose-setup.ts';

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A script that downloads the files on the machine that has the disk. It goes on where it was cut off. */
export function downloadScript(files: readonly FileToGet[]): string {
  const lines = files.map(({ file, folder, from, sha256, gated }) =>
    ['get', folder, file, from, sha256 ?? '', gated ? 'account' : '']
      .map((word, i) => (i === 0 ? word : quoted(word)))
      .join(' '),
  );
  return `#!/bin/sh
# Downloads models for ComfyUI. Run it in the folder "models" of ComfyUI, or name that folder:
#   sh get-models.sh /srv/ComfyUI/models
# HF_TOKEN is your Hugging Face token, for files that are given only to accounts.
set -eu
cd "\${1:-.}"

get() {
  folder=$1 file=$2 from=$3 sha256=$4 account=$5
  if [ -f "$folder/$file" ]; then echo "$folder/$file is there"; return; fi
  mkdir -p "$folder"
  echo "$folder/$file"
  if [ -n "$account" ] && [ -n "\${HF_TOKEN:-}" ]; then
    curl -fL --retry 10 --retry-all-errors -C - -H "Authorization: Bearer $HF_TOKEN" -o "$folder/$file.part" "$from"
  else
    curl -fL --retry 10 --retry-all-errors -C - -o "$folder/$file.part" "$from"
  fi
  if [ -n "$sha256" ] && ! echo "$sha256  $folder/$file.part" | sha256sum -c - >/dev/null; then
    rm -f "$folder/$file.part"
    echo "$folder/$file: what came is not the file, and was deleted" >&2
    exit 1
  fi
  mv "$folder/$file.part" "$folder/$file"
}

${lines.join('\n')}
`;
}
