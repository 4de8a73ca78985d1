#!/usr/bin/env node
// Plain JavaScript, so that an older Node can read it: the rest of Guise runs from version 24 on, which comes with the
// package. An older one starts that one and hands it the command line.

import { needsOtherNode, runWithBroughtNode } from './brought-node.js';

if (!needsOtherNode()) await import('./main.ts');
else runWithBroughtNode(process.argv.slice(1));
