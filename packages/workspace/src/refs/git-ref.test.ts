import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../testing/git-server.ts';
import { createGitRef } from './git-ref.ts';
import { removeOldRefs } from './remove-old-refs.ts';

const token = 'a-token-of-this-test';
const ref = 'refs/agent/records/issue-1';
let server: GitServer;
let directory: string;
beforeAll(async () => {
  server = await startGitServer({ token });
  directory = await mkdtemp(join(tmpdir(), 'git-ref-'));
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

let count = 0;

/** Opens the ref as several machines do. */
async function openPlaces({ maxHistory }: { readonly maxHistory?: number } = {}) {
  count += 1;
  const path = `acme/shop${count}`;
  const cloneUrl = await server.addRepository(path, { 'README.md': 'hello\n' });
  const open = (machine: string) =>
    createGitRef({
      cloneUrl,
      ref,
      directory: join(directory, path, machine),
      token: () => token,
      maxHistory,
    });
  return { path, open };
}

const files = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));

const textsOf = (found: { readonly files: ReadonlyMap<string, Uint8Array> } | null) =>
  found && Object.fromEntries([...found.files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));

describe('createGitRef', () => {
  it('stores files for other machines, version after version, and leaves branches alone', async () => {
    const { path, open } = await openPlaces();
    const [one, other] = [open('one'), open('other')];
    expect([await one.read(), await one.readVersion()]).toEqual([null, null]);
    const first = await one.replace(files({ 'a/b.jsonl': 'x\n', 'c "d".txt': '' }), { expected: null });
    const found = await other.read();
    expect(found?.version).toBe(first);
    expect(textsOf(found)).toEqual({ 'a/b.jsonl': 'x\n', 'c "d".txt': '' });
    const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256);
    const next = await other.replace(new Map([['a/b.jsonl', bytes]]), { expected: first });
    expect(await one.readVersion()).toBe(next);
    expect(new Uint8Array((await one.read())?.files.get('a/b.jsonl') ?? [])).toEqual(bytes);
    expect(await server.git(path, 'rev-list', '--count', ref)).toBe('2');
    expect(await server.git(path, 'for-each-ref', '--format=%(refname)', 'refs/heads')).toBe(
      'refs/heads/main',
    );
  });

  it('lets one of two writers succeed that follow the same version', async () => {
    const { open } = await openPlaces();
    const [one, other] = [open('one'), open('other')];
    const begun = await Promise.all(
      [one, other].map((place, index) => place.replace(files({ who: String(index) }), { expected: null })),
    );
    expect(begun.filter((version) => version === null)).toHaveLength(1);
    const expected = await one.readVersion();
    await Promise.all([one.read(), other.read()]);
    const written = await Promise.all(
      [one, other].map((place, index) => place.replace(files({ who: `${index} again` }), { expected })),
    );
    expect(written.filter((version) => version === null)).toHaveLength(1);
    expect(await other.replace(files({}), { expected: null })).toBeNull();
  });

  it('begins a new history after a number of versions', async () => {
    const { path, open } = await openPlaces({ maxHistory: 3 });
    const one = open('one');
    let expected: string | null = null;
    for (let version = 1; version <= 7; version += 1)
      expected = await one.replace(files({ version: String(version) }), { expected });
    expect(await server.git(path, 'rev-list', '--count', ref)).toBe('1');
    expect(textsOf(await open('other').read())).toEqual({ version: '7' });
  });

  it('finds its own version again after a push whose answer was lost', async () => {
    const { open } = await openPlaces();
    const one = open('one');
    const first = await one.replace(files({ version: '1' }), { expected: null });
    // The server is away for the question that follows the push, too.
    let pushes = 0;
    server.intercept = async ({ url = '' }) => {
      if (url.includes('service=git-receive-pack')) pushes += 1;
      return pushes > 0 ? { status: 503 } : null;
    };
    await expect(one.replace(files({ version: '2' }), { expected: first })).rejects.toMatchObject({
      code: 'unavailable',
    });
    server.intercept = async () => null;
    const third = await one.replace(files({ version: '3' }), { expected: first });
    expect(third).not.toBeNull();
    expect(await one.readVersion()).toBe(third);
  });

  it('removes the ref only if it is the version that was read', async () => {
    const { open } = await openPlaces();
    const one = open('one');
    const first = (await one.replace(files({ version: '1' }), { expected: null })) ?? '';
    const second = (await one.replace(files({ version: '2' }), { expected: first })) ?? '';
    expect(await one.remove({ expected: first })).toBe(false);
    expect(await one.remove({ expected: second })).toBe(true);
    expect(await one.read()).toBeNull();
  });

  it('is removed with others that were not written for a long time, and not before', async () => {
    const { path, open } = await openPlaces();
    const options = { cloneUrl: `${server.url}/${path}.git`, token: () => token };
    const at = (name: string, now: number) =>
      createGitRef({
        ...options,
        ref: `refs/agent/records/${name}`,
        directory: join(directory, path, name),
        now: () => now,
      });
    await at('old', 1_000_000).replace(files({ a: '1' }), { expected: null });
    await at('new', 9_000_000).replace(files({ a: '1' }), { expected: null });
    await open('one').replace(files({ a: '1' }), { expected: null });
    const removal = {
      ...options,
      prefix: 'refs/agent/records/',
      directory: join(directory, path, 'removal'),
    };
    expect(await removeOldRefs({ ...removal, before: 1_000_000 })).toEqual([]);
    expect(await removeOldRefs({ ...removal, before: 8_000_000 })).toEqual(['refs/agent/records/old']);
    expect(await removeOldRefs({ ...removal, before: 8_000_000 })).toEqual([]);
    expect(await server.git(path, 'for-each-ref', '--format=%(refname)', 'refs/heads')).toBe(
      'refs/heads/main',
    );
  });

  it('refuses a name that is no ref of records, and a token that is not valid', async () => {
    const options = { cloneUrl: `${server.url}/acme/shop.git`, directory, token: () => 'wrong' };
    for (const name of ['main', 'refs/heads/../x', '--all', 'refs/a b/c'])
      expect(() => createGitRef({ ...options, ref: name })).toThrow('cannot be used as ref');
    await expect(createGitRef({ ...options, ref }).read()).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
