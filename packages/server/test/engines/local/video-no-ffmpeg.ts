import module, { syncBuiltinESMExports } from 'node:module';

/** Imported first by a process that is to find no ffmpeg of npm. */
const { findPackageJSON } = module;
module.findPackageJSON = (specifier, base) =>
  String(specifier).startsWith('@ffmpeg-installer/') ? undefined : findPackageJSON(specifier, base);
syncBuiltinESMExports();
