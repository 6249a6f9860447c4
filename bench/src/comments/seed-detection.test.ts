import { describe, expect, it } from 'vitest';
import { createSeedDetection, type SeedComment } from './seed-detection.ts';

const by = (author: string, id: number): SeedComment => ({ id, author, body: 'text', created_at: '' });

describe("the seed's way", () => {
  it('finds what was added since it last looked, but not what the bot wrote, and sees no edit', async () => {
    let comments = [by('alice', 1)];
    const detection = createSeedDetection({ getComments: async () => comments, botUsername: 'robot' });
    await detection.initialize();
    comments = [{ ...by('alice', 1), body: 'edited' }, by('robot', 2), by('bob', 3)];
    expect((await detection.checkForNewComments()).map(({ id }) => id)).toEqual([3]);
    expect(await detection.checkForNewComments()).toEqual([]);
  });
});
