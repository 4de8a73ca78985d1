import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { createNameLookup } from '../../src/media/name-lookup.ts';
import { type SafeFetchOptions, safeFetcher } from '../../src/media/safe-fetch.ts';
import { hostNotAllowed, urlNotAllowed } from '../../src/media/url-not-allowed.ts';
import { startFakeInternet } from './fake-internet.ts';
import { forbiddenPorts, specialIPv4, specialIPv6, spellings, trickUrls } from './forbidden-urls.ts';

const limits = { maxBytes: 1000, timeoutMs: 2000, resolve: createNameLookup() };

/** Answers `/?to=<url>` with a redirect there, `/?via=<url>` with one to itself first, anything else with `photo`. */
const site: RequestListener = (request, response) => {
  const asked = new URL(request.url!, 'http://public.test').searchParams;
  const via = asked.get('via');
  const to = via === null ? asked.get('to') : `/?to=${encodeURIComponent(via)}`;
  if (to === null) response.end('photo');
  else response.writeHead(Number(asked.get('status') ?? 302), { location: to }).end();
};

/** The wrong code, a sentence that tells causes apart, or a success: all are failures. */
async function refuses(options: SafeFetchOptions, url: string, expected = urlNotAllowed()) {
  const error = await safeFetcher(options)(url).then(
    () => assert.fail(`fetched ${url}`),
    (error: unknown) => error,
  );
  assert.ok(error instanceof AppError, `${url}: ${error}`);
  assert.equal(error.code, 'URL_NOT_ALLOWED', url);
  assert.equal(error.message, expected.message, url);
  assert.equal(error.cause, undefined);
}

function literals(port: number): string[] {
  const hosts = [...specialIPv4.flatMap(spellings), ...specialIPv6.map((address) => `[${address}]`)];
  return hosts.map((host) => `http://${host}:${port}/photo.jpg`);
}

test('over 300 URLs to special addresses, in every spelling, are refused without a connection', async (t) => {
  const internet = await startFakeInternet(t, site);
  const names: string[] = [];
  const options = { ...limits, resolve: async (host: string) => [names.push(host) ? '127.0.0.1' : ''] };
  const urls = new Set([...literals(internet.canaryPort), ...trickUrls(internet.canaryPort)]);
  assert.ok(urls.size > 300, `${urls.size} URLs`);
  for (const url of urls) await refuses(options, url);
  for (const url of literals(internet.canaryPort).slice(0, 60))
    await refuses(options, url.replace('http:', 'https:'));
  assert.deepEqual([...internet.dials, internet.canaryHits], [0]);
  assert.deepEqual([...new Set(names)], [], 'literals and tricks are never looked up');
});

test('ports that serve no photos are refused on public addresses too', async (t) => {
  const internet = await startFakeInternet(t, site);
  for (const port of forbiddenPorts) {
    await refuses(limits, `http://${internet.publicAddress}:${port}/`);
    await refuses(limits, `https://${internet.publicAddress}:${port}/`);
  }
  assert.deepEqual([...internet.dials, internet.canaryHits], [0]);
});

test('a public address answers on ports 80, 443 and from 1024', async (t) => {
  const internet = await startFakeInternet(t, site);
  for (const port of ['', ':80', ':443', ':1024', ':8080', ':65535']) {
    assert.equal(`${await safeFetcher(limits)(`http://${internet.publicAddress}${port}/`)}`, 'photo');
  }
  assert.equal(internet.canaryHits, 0);
});

test('a redirect to a special address is refused on any hop, by any status', async (t) => {
  const internet = await startFakeInternet(t, site);
  const urls = [...literals(internet.canaryPort), ...trickUrls(internet.canaryPort)];
  const targets = urls.filter((url) => /^[a-z]+:\/\/[!-~]*$/i.test(url)); // absolute, and fit for a header
  const statuses = [301, 302, 303, 307, 308];
  for (const [index, url] of targets.entries()) {
    const status = statuses[index % statuses.length]!;
    const step = index % 2 ? 'to' : 'via';
    await refuses(
      limits,
      `http://${internet.publicAddress}/?status=${status}&${step}=${encodeURIComponent(url)}`,
    );
  }
  assert.ok(targets.length > 300, `${targets.length} redirects`);
  assert.deepEqual(new Set(internet.dials), new Set([internet.publicAddress]));
  assert.equal(internet.canaryHits, 0);
});

test('a name that has a special address among its answers is refused', async (t) => {
  const internet = await startFakeInternet(t, site);
  const special = [
    ...specialIPv4,
    ...specialIPv6,
    'fe80::1%lo',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'no address',
  ];
  for (const address of special) {
    for (const answer of [[address], [internet.publicAddress, address], [address, internet.publicAddress]]) {
      const url = `http://public.test:${internet.canaryPort}/`;
      await refuses({ ...limits, resolve: async () => answer }, url, hostNotAllowed('public.test'));
    }
  }
  assert.deepEqual([...internet.dials, internet.canaryHits], [0]);
});

test('the system resolver is checked like any other: localhost is refused', async (t) => {
  const internet = await startFakeInternet(t, site);
  for (const host of ['localhost', 'LOCALHOST'])
    await refuses(limits, `http://${host}:${internet.canaryPort}/`, hostNotAllowed('localhost'));
  assert.deepEqual([...internet.dials, internet.canaryHits], [0]);
});

test('a name that changes its answer after the check is connected to the checked address', async (t) => {
  const internet = await startFakeInternet(t, site);
  let asked = 0;
  const resolve = async () => [asked++ === 0 ? internet.publicAddress : '127.0.0.1'];
  const photo = await safeFetcher({ ...limits, resolve })(`http://rebind.test:${internet.canaryPort}/`);
  assert.equal(`${photo}`, 'photo');
  assert.equal(asked, 1);
  assert.deepEqual([...internet.dials, internet.canaryHits], [internet.publicAddress, 0]);
});

test('a name that changes its answer between two hops is checked again', async (t) => {
  const internet = await startFakeInternet(t, site);
  let asked = 0;
  const resolve = async () => [asked++ === 0 ? internet.publicAddress : '127.0.0.1'];
  const url = `http://rebind.test:${internet.canaryPort}/?to=/photo`;
  await refuses({ ...limits, resolve }, url, hostNotAllowed('rebind.test'));
  assert.equal(asked, 2);
  assert.deepEqual([...internet.dials, internet.canaryHits], [internet.publicAddress, 0]);
});

test('allowing private addresses lifts no other range, port, scheme or credential', async (t) => {
  const internet = await startFakeInternet(t, site);
  const options = { ...limits, allowPrivate: true };
  const lifted = /^(127|10|172\.(16|31)|192\.168)\./;
  const others = specialIPv4.filter((address) => !lifted.test(address)).flatMap(spellings);
  const mapped = [
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fd00:ec2::254]',
    '[::]',
  ];
  for (const host of [...others, ...mapped]) await refuses(options, `http://${host}:${internet.canaryPort}/`);
  for (const url of ['ftp://127.0.0.1/', 'http://127.0.0.1:22/', 'http://user@127.0.0.1/'])
    await refuses(options, url);
  assert.deepEqual([...internet.dials, internet.canaryHits], [0]);
});
