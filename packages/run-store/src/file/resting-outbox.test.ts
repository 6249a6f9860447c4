import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDirectory, newRun, parseMessage, says, toArray } from '../testing/store-setup.ts';
import { createFileRunStore } from './file-run-store.ts';

let directory: Awaited<ReturnType<typeof makeDirectory>>;
beforeEach(async () => {
  directory = await makeDirectory();
});
afterEach(() => directory.remove());

const createStore = () => createFileRunStore({ baseDirectory: directory.path, parseMessage });
const label = { id: 'pause:0:label', kind: 'label', data: {} };

it('the outbox of a run that waits is written where the run lies, and read by whoever resumes it [NX-80, NX-112]', async () => {
  const store = createStore();
  const uuid = randomUUID();
  const { journal, outbox } = await store.open(newRun(uuid));
  await journal.append(says('user', 'hello'));
  await outbox.open(label);
  await store.pause(uuid, { lastError: null, planningState: null });
  const waiting = store.openOutbox(uuid);
  await waiting.open({ ...label, id: 'more' });
  await waiting.open(label);
  await waiting.settle(label.id, { state: 'done', made: {} });
  await waiting.settle(label.id, { state: 'given-up', by: 'nobody', reason: 'It was done.' });
  await expect(waiting.settle('unknown', { state: 'done', made: {} })).rejects.toMatchObject({
    code: 'invalid',
  });
  const resumed = await store.resume(uuid);
  expect(resumed.damage).toBeNull();
  expect(await toArray(resumed.journal.read())).toHaveLength(1);
  expect((await resumed.outbox.list()).map(({ id, state }) => [id, state])).toEqual([
    [label.id, 'done'],
    ['more', 'open'],
  ]);
  // From now on whoever has it open writes its lines.
  await waiting.settle('more', { state: 'done', made: {} });
  expect((await resumed.outbox.list()).map(({ state }) => state)).toEqual(['done', 'done']);
});
