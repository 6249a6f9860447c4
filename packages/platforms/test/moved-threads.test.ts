import { describe, expect, it } from 'vitest';
import type { PlatformThread } from '../src/index.ts';
import { contractWorld } from '../src/testing/index.ts';
import { onSimulator } from './fixtures/simulator-fixture.ts';

const { repository } = contractWorld;
const notFound = expect.objectContaining({ code: 'not-found' });

/** Everything that a run reads of a thread. */
const readings: readonly [string, (thread: PlatformThread) => Promise<unknown>][] = [
  ['thread', ({ reader }) => reader.readThread()],
  ['comments', ({ comments }) => comments.listComments({ since: null })],
  ['labels', ({ labelEvents }) => Promise.resolve(labelEvents?.lastLabeled('bug'))],
];

describe('A thread of GitHub', () => {
  it.each(readings)('has no %s any more once it was transferred', (_what, read) =>
    onSimulator(async ({ simulator, platform, key }) => {
      await simulator.addRepository({
        owner: 'octo',
        name: 'other',
        files: { a: 'a' },
        collaborators: { agent: 'write' },
      });
      simulator.comment({ repo: repository, number: 1, author: 'alice', body: 'before' });
      const thread = platform.openThread(key);
      await read(thread);
      const number = simulator.transferIssue(repository, 1, 'octo/other');
      simulator.comment({ repo: 'octo/other', number, author: 'bob', body: 'said in the other repository' });
      await expect(read(thread)).rejects.toThrowError(notFound);
    }),
  );

  it.each([
    ['comments of another number', (path: string) => path.replace('/issues/1/', '/issues/2/')],
    ['comments of another repository', (path: string) => path],
  ])('is not read from a redirect to %s', (_what, toTarget) =>
    onSimulator(async ({ simulator, connect, key }) => {
      await simulator.addRepository({
        owner: 'octo',
        name: 'other',
        files: { a: 'a' },
        collaborators: { agent: 'write' },
      });
      for (const title of ['one', 'two']) simulator.openIssue({ repo: 'octo/other', author: 'alice', title });
      for (const number of [1, 2])
        simulator.comment({
          repo: 'octo/other',
          number,
          author: 'bob',
          body: 'said in the other repository',
        });
      const shown = await (await fetch(`${simulator.url}/repos/octo/other`)).json();
      const platform = connect({
        fetch: (input, init) => {
          const { pathname } = new URL(String(input));
          if (!pathname.endsWith('/comments')) return fetch(input, init);
          const rest = toTarget('/issues/1/comments');
          return fetch(`${simulator.url}/repositories/${(shown as { id: number }).id}${rest}`, init);
        },
      });
      const { comments } = platform.openThread(key);
      await expect(comments.listComments({ since: null })).rejects.toThrowError(notFound);
    }),
  );

  it.each(readings)('keeps its %s when its repository is renamed', (_what, read) =>
    onSimulator(async ({ simulator, platform, key }) => {
      simulator.comment({ repo: repository, number: 1, author: 'alice', body: 'hello' });
      const thread = platform.openThread(key);
      const before = await read(platform.openThread(key));
      await simulator.moveRepository(repository, 'octo/renamed');
      const after = await read(thread);
      expect(JSON.stringify(after)?.replaceAll('octo/renamed', repository)).toBe(JSON.stringify(before));
    }),
  );
});
