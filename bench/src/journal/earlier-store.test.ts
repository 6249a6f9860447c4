import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
  it('numbers and counts what its files hold', async () => {
    const store = createEarlierStore(directory);
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

  it('counts the lines of the context without parsing them, and as many of the last messages', async () => {
    const store = createEarlierStore(directory);
    for (const content of ['12345678', '1234']) store.write({ role: 'user', content }, store.findNextSeq());
    await writeFile(join(directory, 'current.jsonl'), 'a summary that is no JSON\n');
    expect(store.countTokens()).toBe(1);
  });
});
