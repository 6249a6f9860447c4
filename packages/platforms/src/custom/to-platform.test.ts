import { describe, expect, it } from 'vitest';
import { createMemoryPlatform } from '../memory/create-memory-platform.ts';
import { guardAdapter } from './load-custom-platform.ts';
import { fillRepository } from './to-platform.ts';

const memory = createMemoryPlatform();
for (const title of ['The kettle whistles', 'The kettle leaks', 'A teapot']) {
  memory.people.openIssue({ author: 'alice', title });
}
const described = { id: '1', path: 'a/b', defaultBranch: 'main', cloneUrl: '/x', private: true };
const platform = { name: 'notes', tasks: memory.tasks };

describe('a repository that an adapter only describes [NX-9]', () => {
  const repository = fillRepository({ describe: async () => described }, platform);

  it('is described, and searched by the titles of all threads', async () => {
    expect(await repository.describe()).toEqual(described);
    const found = await repository.searchThreads('KETTLE whistle');
    expect(found.map(({ title }) => title)).toEqual(['The kettle whistles']);
  });

  it('has no files to ask for, and says so', async () => {
    for (const ask of [() => repository.readFile('x'), () => repository.listFiles()]) {
      await expect(ask()).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('The adapter of platforms.notes has no repository.'),
      });
    }
  });
});

it('leaves what an adapter has as it is', async () => {
  const own = {
    describe: async () => described,
    readFile: async () => 'text',
    searchThreads: async () => [],
  };
  const repository = fillRepository(own, platform);
  expect(await repository.readFile('x')).toBe('text');
  expect(await repository.searchThreads('kettle')).toEqual([]);
});

describe('gitCredential of an adapter', () => {
  const options = { name: 'notes', timeoutMs: 30_000 };
  const asked = { cloneUrl: 'https://git.example.com/a/b.git' };
  const ask = (gitCredential: unknown) => {
    const adapter = { tasks: memory.tasks, openThread: memory.openThread, gitCredential };
    return guardAdapter(adapter, options).gitCredential?.(asked, { refused: 'old' });
  };

  it('is called with the repository and the refused password', async () => {
    const given = async ({ cloneUrl }: typeof asked, { refused }: { readonly refused: string }) => ({
      username: cloneUrl,
      password: refused,
    });
    expect(await ask(given)).toEqual({ username: asked.cloneUrl, password: 'old' });
    expect(await ask(async () => null)).toBeNull();
    expect(ask(undefined)).toBeUndefined();
  });

  it('must answer with lines of text, for git reads a login line by line', async () => {
    for (const login of [
      { username: 'x', password: 'a\nhost=evil' },
      { username: '', password: 'a' },
      'token',
    ])
      await expect(ask(async () => login)).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('gitCredential'),
      });
    expect(() => ask('token')).toThrow(/lacks gitCredential/u);
  });
});
