import { describe, expect, it } from 'vitest';
import { contractWorld } from '../src/testing/index.ts';
import { onSimulator } from './fixtures/simulator-fixture.ts';

const { repository } = contractWorld;

describe('A comment that a maintainer hides on GitHub', () => {
  it.each(['spam', 'abuse', 'off-topic'] as const)('counts as deleted when it is hidden as %s', (reason) =>
    onSimulator(async ({ simulator, platform, people, key }) => {
      const id = await people.comment(key, { author: 'bob', body: 'buy this' });
      await people.comment(key, { author: 'alice', body: 'thanks' });
      const { comments, reader } = platform.openThread(key);
      const before = await comments.listComments({ since: null });
      expect(before.comments).toHaveLength(2);
      simulator.minimizeComment(repository, Number(id), reason);
      const after = await comments.listComments({ since: null });
      expect(after).toMatchObject({ complete: true, unchanged: false });
      expect(after.comments.map(({ body }) => body)).toEqual(['thanks']);
      expect(await reader.getComment?.(id)).toBeNull();
    }),
  );

  it.each(['resolved', 'outdated', 'duplicate'] as const)(
    'stays as it is when it is hidden as %s',
    (reason) =>
      onSimulator(async ({ simulator, platform, people, key }) => {
        const id = await people.comment(key, { author: 'bob', body: 'please use tabs' });
        simulator.minimizeComment(repository, Number(id), reason);
        const { comments, reader } = platform.openThread(key);
        const listing = await comments.listComments({ since: null });
        expect(listing.comments.map(({ body }) => body)).toEqual(['please use tabs']);
        expect(await reader.getComment?.(id)).toMatchObject({ body: 'please use tabs' });
      }),
  );

  it('is still updated when it is our own', () =>
    onSimulator(async ({ simulator, platform, key }) => {
      const { writer } = platform.openThread(key);
      const { id } = await writer.ensureComment({ topic: 'status', body: 'Working' });
      simulator.minimizeComment(repository, Number(id), 'off-topic');
      expect(await writer.ensureComment({ topic: 'status', body: 'Done' })).toMatchObject({
        id,
        change: 'updated',
      });
    }));
});
