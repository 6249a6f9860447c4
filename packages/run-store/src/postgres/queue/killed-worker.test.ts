// @module-tag full
import { findSharedPostgres } from '@agent/simulators/postgres';
import { expect, it } from 'vitest';
import { makeQueueBed, startWorker } from '../../../test/queue-bed.ts';
import { connectPostgres } from '../connect-postgres.ts';

it('an entry whose process is killed begins in another one, with nothing else to help it [NX-143]', async () => {
  const url = await findSharedPostgres();
  const bed = await makeQueueBed(await connectPostgres({ url }));
  await bed.open().add({ key: 'a#1' });
  const first = await startWorker(url, bed);
  expect(first.begun).toBe('a#1');
  await first.remove();
  // Ten seconds of silence, nine until the next look at what others left, and a pause.
  const second = await startWorker(url, bed);
  expect(second.begun).toBe('a#1');
  await second.remove();
  await bed.close();
});
