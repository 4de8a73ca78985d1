import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of the filters, scenes and costumes that come with the server. */
export const ownCatalogDir = fileURLToPath(new URL('../../../../catalog', import.meta.url));

export const ownFiltersFile = pathToFileURL(join(ownCatalogDir, 'filters.json'));
