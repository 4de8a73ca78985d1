import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

// Loaded before an engine: a machine for which npm has no ffmpeg.
os.arch = () => 'unknown' as NodeJS.Architecture;
syncBuiltinESMExports();
