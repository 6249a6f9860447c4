import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEarlierStore } from './earlier-store.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'earlier-'));
});

afterEach(() => rm(directory, { recursive: true }));

describe('the earlier way', () => {
  it.each([true, false])('numbers and counts what its files hold (synced: %s)', async (sync) => {
    const store = createEarlierStore(directory, { sync });
    for (const content of ['12345678', '1234']) {
      store.write({ role: 'user', content }, store.findNextSeq());
    }
    expect(store.findNextSeq()).toBe(3);
    expect(store.countTokens()).toBe(3);
    const lines = (await readFile(join(directory, 'messages.jsonl'), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { seq: 1, role: 'user', content: '12345678', tokens: 2 },
      { seq: 2, role: 'user', content: '1234', tokens: 1 },
    ]);
  });
});
