import { resolve } from 'node:path';
import { createFileRunReader, type RunReader } from '@agent/context-inheritance';
import { z } from 'zod';
import type { Config } from './config/schema.ts';

/** A message of any run, as it is shown: nothing of it is sent to a model again, so its parts are not checked. */
const messageSchema = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
});

export type ShownMessage = z.infer<typeof messageSchema>;

export interface RunDirectories {
  readonly baseDirectory: string;
  readonly pausedDirectory: string;
}

/** Where the configuration says that runs lie. `directory` is that of the configuration file. */
export function toReaderOptions(config: Config, directory: string): RunDirectories {
  return {
    baseDirectory: resolve(directory, config.context_storage.base_dir),
    pausedDirectory: resolve(directory, config.pause_resume.paused_dir),
  };
}

/** Reads runs without owning them: works beside a daemon that runs, and without one. */
export function openReader(directories: RunDirectories): RunReader<ShownMessage> {
  return createFileRunReader({ ...directories, parseMessage: (json) => messageSchema.parse(json) });
}
