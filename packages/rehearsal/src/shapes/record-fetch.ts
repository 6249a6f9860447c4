import { appendFileSync } from 'node:fs';
import { createRecordingFetch } from './recording-fetch.ts';

/** Preloaded into a daemon that is rehearsed (`node --import`): appends the shapes of its requests to the file REHEARSAL_SHAPES. */
const file = process.env.REHEARSAL_SHAPES;
if (file !== undefined && file !== '')
  globalThis.fetch = createRecordingFetch({
    fetch: globalThis.fetch,
    source: 'daemon',
    write: (line) => appendFileSync(file, `${JSON.stringify(line)}\n`),
    now: Date.now,
  });
