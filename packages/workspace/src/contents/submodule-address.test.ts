import { expect, it } from 'vitest';
import { findSubmoduleAddress } from './submodule-address.ts';

const server = new URL('https://git.acme.dev/acme/shop.git');
const allow = ['git.acme.dev/acme/*', 'github.com/lib/quantities'];
const find = (url: string, parentUrl = server.href) =>
  findSubmoduleAddress(url, { parentUrl, server, allow });
const placeOf = (url: string, parentUrl?: string) => {
  const found = find(url, parentUrl);
  return typeof found === 'string' ? found : `${found.cloneUrl} ${found.withLogin ? 'login' : 'public'}`;
};

it('takes relative addresses, those of the own server and those that are named, and logs in to what is named on the own server alone [NX-227]', () => {
  expect(placeOf('../lib.git')).toBe('https://git.acme.dev/acme/lib.git login');
  expect(placeOf('../lib.git', 'https://git.acme.dev/acme/shop/')).toBe(
    'https://git.acme.dev/acme/lib.git login',
  );
  expect(placeOf('../../other/lib')).toBe('https://git.acme.dev/other/lib public');
  expect(placeOf('https://git.acme.dev/Acme/Lib.git')).toBe('https://git.acme.dev/Acme/Lib.git login');
  expect(placeOf('git@git.acme.dev:acme/lib.git')).toBe('https://git.acme.dev/acme/lib.git login');
  expect(placeOf('ssh://git@git.acme.dev:2222/acme/lib.git')).toBe('https://git.acme.dev/acme/lib.git login');
  expect(placeOf('git@github.com:lib/quantities.git')).toBe('https://github.com/lib/quantities.git public');
  expect(placeOf('https://github.com/lib/quantities')).toBe('https://github.com/lib/quantities public');
});

it('never logs in over another protocol or port of the same host, or climbs to another server [NX-227]', () => {
  expect(placeOf('https://git.acme.dev:8443/acme/lib.git')).toBe('not-allowed');
  expect(placeOf('../../../../..//github.com/evil/lib')).toBe('address');
  expect(placeOf('../lib.git', 'https://github.com/lib/quantities.git')).toBe('not-allowed');
  expect(placeOf('https://github.com/lib/other.git')).toBe('not-allowed');
  expect(placeOf('https://github.com.evil.dev/lib/quantities')).toBe('not-allowed');
});

it('refuses addresses without TLS, unless the repository itself is fetched without TLS', () => {
  expect(placeOf('http://git.acme.dev/acme/lib.git')).toBe('address');
  expect(placeOf('http://github.com/lib/quantities.git')).toBe('address');
  const plain = new URL('http://git.acme.dev/acme/shop.git');
  const named = { parentUrl: plain.href, server: plain, allow };
  expect(findSubmoduleAddress('http://git.acme.dev/acme/lib.git', named)).toMatchObject({ withLogin: true });
});

it.each([
  'file:///etc',
  '/etc',
  'ext::sh -c touch% /tmp/x',
  'git://github.com/lib/quantities.git',
  'ftp://github.com/lib/quantities.git',
  'https://token@github.com/lib/quantities.git',
  'https://github.com/lib/quantities.git?x=1',
  'https://github.com/lib/..%2f..%2fquantities',
  'https://github.com/quantities',
  '--upload-pack=touch /tmp/x',
  '..',
  '',
])('refuses %j, which is no repository on a web server [NX-227]', (url) => {
  expect(['address', 'not-allowed']).toContain(find(url));
  expect(typeof find(url)).toBe('string');
});
