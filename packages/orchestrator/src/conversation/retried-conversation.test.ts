import type { RunState } from '@agent/run-store';
import { createMemoryRunState } from '@agent/run-store/testing';
import { expect, it } from 'vitest';
import type { Run } from '../run/run.ts';
import { inheritMarks } from './open-conversation.ts';

async function goOnFrom(from: RunState, state: RunState): Promise<readonly unknown[]> {
  const warnings: unknown[] = [];
  const readRun = async () => ({ state: from });
  const logger = { warn: (fields: unknown) => warnings.push(fields) };
  await inheritMarks(readRun, { state, lineage: { retryOf: 'uuid' }, logger } as unknown as Run);
  return warnings;
}

it('goes on with the mark of the envelopes, and remembers that an internal note was heard [NX-27, NX-45]', async () => {
  const state = createMemoryRunState();
  const from = createMemoryRunState({ envelope_nonce: 'one\n', heard_internal: '' });
  expect(await goOnFrom(from, state)).toEqual([]);
  expect(await state.read('envelope_nonce')).toBe('one\n');
  expect(await state.read('heard_internal')).not.toBeNull();
});

it('keeps the mark that its own conversation speaks of already [NX-45]', async () => {
  const state = createMemoryRunState({ envelope_nonce: 'own\n' });
  expect(await goOnFrom(createMemoryRunState({ envelope_nonce: 'other\n' }), state)).toEqual([]);
  expect(await state.read('envelope_nonce')).toBe('own\n');
});
