#!/usr/bin/env node
// Plain JavaScript, so that an older Node can read it and say what is missing: main.ts is TypeScript, which Node runs
// from version 24 on. `npm ci` brings that version, and `npx` and `npm run` find it first.

const needed = 24;
if (Number(process.versions.node.split('.')[0]) >= needed) {
  await import('./main.ts');
} else {
  console.error(
    `Guise needs Node.js ${needed} or newer, and this is ${process.version}. ` +
      'npm brings it: run "npm ci" in the folder of Guise once, then "npx guise" there.',
  );
  process.exitCode = 1;
}
