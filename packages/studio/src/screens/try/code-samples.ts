import { familyPaths } from '@guise/contract/families/family-paths.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/say.ts';
import type { PlannedRun } from './run-choice.ts';

export interface CodeTarget {
  /** Where Guise listens. */
  url: string;
  key: string;
}

export type Language = 'curl' | 'typescript' | 'python';

const files = { first: 'photo.jpg', second: 'last.jpg' } as const;

/**
 * A program that makes the same run and saves its result; it needs nothing but the photo beside it. Where the run is
 * refused or fails it prints the reason and ends with 1.
 */
export const codeSamples: Record<Language, (run: PlannedRun, target: CodeTarget) => string> = {
  curl: curlSample,
  typescript: typescriptSample,
  python: pythonSample,
};

const isVideo = ({ family }: PlannedRun) => family.endsWith('_video') || family === 'living_portrait';
const photosOf = ({ photos, burst }: PlannedRun) => [
  ...Object.entries(photos).map(([which, field]) => ({ field, file: files[which as keyof typeof files] })),
  ...(burst === 'video' ? [{ field: 'video', file: 'burst.mp4' }] : []),
];
/** The photos of a burst, which are one field together. */
const shotsOf = ({ burst }: PlannedRun): string[] =>
  typeof burst === 'number' ? Array.from({ length: burst }, (_, i) => `shot-${i + 1}.jpg`) : [];

/** The files that a program reads, in words. */
export function filesOf(run: PlannedRun): string {
  const shots = shotsOf(run);
  if (shots.length > 0) return say('{first} to {last}', { first: shots[0]!, last: shots.at(-1)! });
  return new Intl.ListFormat(locale).format(photosOf(run).map(({ file }) => file));
}

/** In a subshell, so that a run that fails ends the program and not the terminal that it was pasted into. */
function curlSample(run: PlannedRun, { url, key }: CodeTarget): string {
  const { run: runPath, status } = familyPaths[run.family];
  const photos = photosOf(run);
  // For printf, a percent sign and a backslash are written twice; for the shell, a single quote ends the text.
  const quote = (text: string) =>
    text.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll("'", "'\\''");
  const fields = [JSON.stringify(run.body).slice(1, -1)].filter(Boolean).map(quote);
  const shots = shotsOf(run);
  const list = shots.length > 0 ? [`"images":[${shots.map(() => '"%s"').join(',')}]`] : [];
  const body = `{${[...fields, ...list, ...photos.map(({ field }) => `"${field}":"%s"`)].join(',')}}`;
  const images = [...shots, ...photos.map(({ file }) => file)]
    .map((file) => ` "$(base64 < ${file} | tr -d '\\n')"`)
    .join('');
  const save = isVideo(run)
    ? `curl -sSf "$(sed 's/.*"video_url":"\\([^"]*\\)".*/\\1/' answer.json)" -o video.mp4`
    : `sed 's/.*"images":\\["\\([^"]*\\)".*/\\1/' answer.json | base64 -d > picture.png`;
  return `(
set -e
printf '${body}'${images} |
  curl -sS ${url}${runPath} -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d @- -o answer.json
id=$(sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p' answer.json)
until grep -q '"status":"COMPLETED"' answer.json; do
  if [ -z "$id" ] || grep -Eq '"status":"FAILED"|"error_code":' answer.json; then
    sed -E 's/.*"(video_)?error":"([^"]*)".*/\\2/' answer.json >&2
    exit 1
  fi
  sleep 1
  curl -sS -X POST ${url}${status.replace('{job_id}', '$id')} -H 'X-API-Key: ${key}' -H 'Prefer: wait=60' -o answer.json
done
${save}
)
`;
}

function typescriptSample(run: PlannedRun, { url, key }: CodeTarget): string {
  const { run: runPath, status } = familyPaths[run.family];
  const photos = photosOf(run).map(
    ({ field, file }) => `  ${field}: (await readFile('${file}')).toString('base64'),\n`,
  );
  const fields = Object.entries(run.body).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`);
  const shots = shotsOf(run).map((file) => `'${file}'`);
  if (shots.length > 0)
    photos.push(
      `  images: (await Promise.all([${shots.join(', ')}].map((file) => readFile(file)))).map((shot) => shot.toString('base64')),\n`,
    );
  return `import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

const headers = { 'x-api-key': '${key}', 'content-type': 'application/json', prefer: 'wait=60' };
const post = async (path: string, body: object = {}) => {
  const response = await fetch('${url}' + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
};

const { id } = await post('${runPath}', {
${fields.join('')}${photos.join('')}});
let job;
do {
  await setTimeout(1000);
  job = await post('${status.replace('{job_id}', "' + id + '")}');
} while (job.status !== 'COMPLETED' && job.status !== 'FAILED');
if (job.status === 'FAILED') throw new Error(job.error ?? job.output.video_error);
${
  isVideo(run)
    ? "await writeFile('video.mp4', await (await fetch(job.output.video_url)).bytes());"
    : "await writeFile('picture.png', Buffer.from(job.output.images[0], 'base64'));"
}
`;
}

function pythonSample(run: PlannedRun, { url, key }: CodeTarget): string {
  const { run: runPath, status } = familyPaths[run.family];
  const photos = photosOf(run).map(
    ({ field, file }) => `    "${field}": base64.b64encode(open("${file}", "rb").read()).decode(),\n`,
  );
  const fields = Object.entries(run.body).map(([name, value]) => `    "${name}": ${pythonValue(value)},\n`);
  const shots = shotsOf(run).map((file) => `"${file}"`);
  if (shots.length > 0)
    photos.push(
      `    "images": [base64.b64encode(open(shot, "rb").read()).decode() for shot in [${shots.join(', ')}]],\n`,
    );
  return `import base64, json, time, urllib.error, urllib.request

headers = {"X-API-Key": "${key}", "Content-Type": "application/json", "Prefer": "wait=60"}

def post(path, body={}):
    request = urllib.request.Request("${url}" + path, json.dumps(body).encode(), headers)
    try:
        return json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as error:
        raise SystemExit(json.load(error)["error"])

job = post("${runPath}", {
${fields.join('')}${photos.join('')}})
while job["status"] not in ("COMPLETED", "FAILED"):
    time.sleep(1)
    job = post("${status.replace('{job_id}', '" + job["id"] + "')}")
if job["status"] == "FAILED":
    raise SystemExit(job.get("error") or job["output"]["video_error"])
${
  isVideo(run)
    ? 'urllib.request.urlretrieve(job["output"]["video_url"], "video.mp4")'
    : 'open("picture.png", "wb").write(base64.b64decode(job["output"]["images"][0]))'
}
`;
}

const pythonValue = (value: unknown) =>
  value === true ? 'True' : value === false ? 'False' : JSON.stringify(value);
