import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRunState } from '@agent/run-store/testing';
import { afterEach, expect, it } from 'vitest';
import { inheritMarks } from './open-conversation.ts';
import type { Run } from './run.ts';

const made: string[] = [];

async function makeDirectory(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'retried-'));
  made.push(directory);
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

async function goOnFrom(from: string, directory: string): Promise<readonly unknown[]> {
  const warnings: unknown[] = [];
  const readRun = async () => ({ state: openRunState(from) });
  const logger = { warn: (fields: unknown) => warnings.push(fields) };
  const run = { state: openRunState(directory), lineage: { retryOf: 'uuid' }, logger } as unknown as Run;
  await inheritMarks(readRun, run);
  return warnings;
}

afterEach(async () => {
  for (const directory of made.splice(0)) await rm(directory, { recursive: true });
});

it('goes on with the mark of the envelopes, and remembers that an internal note was heard [NX-27, NX-45]', async () => {
  const from = await makeDirectory({ envelope_nonce: 'one\n', heard_internal: '' });
  const directory = await makeDirectory({});
  expect(await goOnFrom(from, directory)).toEqual([]);
  expect(await readdir(directory)).toEqual(['envelope_nonce', 'heard_internal']);
});

it('keeps the mark that its own conversation speaks of already [NX-45]', async () => {
  const directory = await makeDirectory({ envelope_nonce: 'own\n' });
  expect(await goOnFrom(await makeDirectory({ envelope_nonce: 'other\n' }), directory)).toEqual([]);
  expect(await readFile(join(directory, 'envelope_nonce'), 'utf8')).toBe('own\n');
});
