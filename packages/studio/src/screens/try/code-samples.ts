import { familyPaths } from '@guise/contract/families/family-paths.ts';
import type { PlannedRun } from './run-choice.ts';

export interface CodeTarget {
  /** Where Guise listens. */
  url: string;
  key: string;
}

export type Language = 'curl' | 'typescript' | 'python';

const files = { first: 'photo.jpg', second: 'last.jpg' } as const;

/** A program that makes the same run and saves its result; it needs nothing but the photo beside it. */
export const codeSamples: Record<Language, (run: PlannedRun, target: CodeTarget) => string> = {
  curl: curlSample,
  typescript: typescriptSample,
  python: pythonSample,
};

const isVideo = ({ family }: PlannedRun) => family.endsWith('_video');
const photosOf = ({ photos }: PlannedRun) =>
  Object.entries(photos).map(([which, field]) => ({ field, file: files[which as keyof typeof files] }));

function curlSample(run: PlannedRun, { url, key }: CodeTarget): string {
  const { run: runPath, status } = familyPaths[run.family];
  const photos = photosOf(run);
  // For printf, a percent sign is written twice; for the shell, a single quote ends the text.
  const quote = (text: string) =>
    text.replaceAll('%', '%%').replaceAll("'", "'\\''").replaceAll('\\', '\\\\');
  const fields = [JSON.stringify(run.body).slice(1, -1)].filter(Boolean).map(quote);
  const body = `{${[...fields, ...photos.map(({ field }) => `"${field}":"%s"`)].join(',')}}`;
  const images = photos.map(({ file }) => ` "$(base64 < ${file} | tr -d '\\n')"`).join('');
  const headers = `-H 'X-API-Key: ${key}' -H 'Content-Type: application/json'`;
  const save = isVideo(run)
    ? `curl -s "$(wait_for_it | sed 's/.*"video_url":"\\([^"]*\\)".*/\\1/')" -o video.mp4`
    : `wait_for_it | sed 's/.*"images":\\["\\([^"]*\\)".*/\\1/' | base64 -d > picture.png`;
  return `id=$(printf '${body}'${images} |
  curl -s ${url}${runPath} ${headers} -d @- | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
wait_for_it() {
  until curl -s -X POST ${url}${status.replace('{job_id}', '$id')} \\
    -H 'X-API-Key: ${key}' -H 'Prefer: wait=60' | tee answer.json | grep -Eq 'COMPLETED|FAILED'; do :; done
  cat answer.json
}
${save}
`;
}

function typescriptSample(run: PlannedRun, { url, key }: CodeTarget): string {
  const { run: runPath, status } = familyPaths[run.family];
  const photos = photosOf(run).map(
    ({ field, file }) => `  ${field}: (await readFile('${file}')).toString('base64'),\n`,
  );
  const fields = Object.entries(run.body).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`);
  return `import { readFile, writeFile } from 'node:fs/promises';

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
do job = await post('${status.replace('{job_id}', "' + id + '")}');
while (job.status !== 'COMPLETED' && job.status !== 'FAILED');
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
  return `import base64, json, urllib.request

headers = {"X-API-Key": "${key}", "Content-Type": "application/json", "Prefer": "wait=60"}

def post(path, body={}):
    request = urllib.request.Request("${url}" + path, json.dumps(body).encode(), headers)
    return json.load(urllib.request.urlopen(request))

job = post("${runPath}", {
${fields.join('')}${photos.join('')}})
while job["status"] not in ("COMPLETED", "FAILED"):
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
