import type { RunReader } from '@agent/run-store';
import { createFileRunReader } from '@agent/run-store/file';
import { z } from 'zod';

/** A message of any run, as it is shown: nothing of it is sent to a model again, so its parts are not checked. */
const messageSchema = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
});

/** A message of a run, as far as it is shown. */
export type ShownMessage = z.infer<typeof messageSchema>;

/** Reads runs without owning them: works beside a daemon that runs, and without one. */
export function openReader({
  contexts,
  paused,
}: {
  readonly contexts: string;
  readonly paused: string;
}): RunReader<ShownMessage> {
  return createFileRunReader({
    baseDirectory: contexts,
    pausedDirectory: paused,
    parseMessage: (json) => messageSchema.parse(json),
  });
}
