import { buildStudio, isStudioStale } from '../app/build-studio.ts';

/** Builds the studio before the first start and after its sources have changed, and says so. */
export async function buildStudioIfStale(): Promise<void> {
  if (!isStudioStale()) return;
  console.log('Building the studio, which takes a few seconds…');
  try {
    await buildStudio();
  } catch (error) {
    // The interface works without it.
    console.error(`The studio could not be built: ${error instanceof Error ? error.message : error}`);
  }
}
