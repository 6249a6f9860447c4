import { describe, expect, it } from 'vitest';
import { onSimulator } from '../../test/fixtures/simulator-fixture.ts';
import type { TaskKey } from '../task-key.ts';

/** A fetch that holds back the answers to some requests until they are let go. */
function holdBack(path: RegExp) {
  const gate = Promise.withResolvers<void>();
  let held = 0;
  const hold: typeof globalThis.fetch = async (input, init) => {
    if (path.test(String(input))) {
      held += 1;
      await gate.promise;
    }
    return fetch(input, init);
  };
  return { fetch: hold, held: () => held, letGo: gate.resolve };
}

describe('looks at comments', () => {
  it('do not wait behind the other requests of a busy daemon [CD-57]', () =>
    onSimulator(async ({ connect, key, people }) => {
      await people.comment(key, { author: 'alice', body: 'hello' });
      const slow = holdBack(/\/issues\/1$/u);
      const platform = connect({ fetch: slow.fetch });
      const reads = Array.from({ length: 10 }, () => platform.openThread(key).reader.readThread());
      await expect.poll(slow.held).toBe(10);
      const look = platform.openThread(key).comments.listComments({ since: null });
      const heard = await look.finally(slow.letGo);
      expect(heard.comments.map(({ body }) => body)).toEqual(['hello']);
      await Promise.all(reads);
    }));

  it('are at most ten at once, far from the hundred that GitHub takes [CD-57]', () =>
    onSimulator(async ({ connect, key, people }) => {
      const keys: TaskKey[] = [key];
      for (let count = 1; count < 30; count += 1)
        keys.push(await people.openIssue({ author: 'alice', title: `Issue ${count}`, body: '' }));
      const slow = holdBack(/\/comments\?/u);
      const platform = connect({ fetch: slow.fetch });
      const looks = keys.map((one) => platform.openThread(one).comments.listComments({ since: null }));
      await expect.poll(slow.held).toBe(10);
      slow.letGo();
      expect(await Promise.all(looks)).toHaveLength(30);
      expect(slow.held()).toBe(30);
    }));
});
