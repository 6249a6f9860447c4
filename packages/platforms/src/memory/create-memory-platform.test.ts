import { expect, it } from 'vitest';
import { createMemoryFixture } from '../testing/contract-fixture.ts';
import { platformContract } from '../testing/index.ts';
import { createMemoryPlatform, type MemorySeed } from './create-memory-platform.ts';

platformContract({ name: 'the platform in memory', create: createMemoryFixture });

it('says in English that a comment was cut, and in Japanese where that is asked for [X9]', async () => {
  const writeTooMuch = async (seed: MemorySeed) => {
    const platform = createMemoryPlatform(seed);
    const key = platform.people.openIssue({ author: 'alice', title: 'Long' });
    await platform.openThread(key).writer.ensureComment({ topic: 'final', body: 'x'.repeat(70_000) });
    return platform.people.commentsOn(key)[0]?.body.slice(-40);
  };
  expect(await writeTooMuch({})).toContain('*… (too long: the rest was left out)*');
  expect(await writeTooMuch({ locale: 'ja' })).toContain('*…（長すぎるため、ここから先は省略しました）*');
});
