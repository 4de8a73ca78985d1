import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';

const studio = forAllTests(startStudio);

const mostBytes = 200_000;

test('the first load is at most 200 kB of compressed JavaScript, and files are cached for ever', async () => {
  const { page, close } = await studio.open('about:blank');
  const scripts = new Map<string, { bytes: number; cache: string }>();
  page.on('response', async (response) => {
    if (response.request().resourceType() !== 'script') return;
    const { responseBodySize } = await response.request().sizes();
    scripts.set(response.url(), {
      bytes: responseBodySize,
      cache: response.headers()['cache-control'] ?? '',
    });
  });
  await page.goto('/');
  await page.getByRole('region', { name: 'Scenes and costumes' }).locator('img').first().waitFor();
  const total = [...scripts.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  assert.ok(scripts.size > 0);
  assert.ok(total <= mostBytes, `${total} bytes in ${scripts.size} files`);
  assert.ok([...scripts.values()].every(({ cache }) => cache.includes('immutable')));
  await close();
});
