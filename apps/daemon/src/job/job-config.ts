import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { JobEvent } from './job-event.ts';

/** Options of `prepareConfig`. */
export interface JobConfigOptions {
  /** Configuration of the user. */
  readonly file: string;
  /** Preset of the model, where there is no such file. */
  readonly preset: string | undefined;
  /** Directory of the job, for a configuration that is written. */
  readonly directory: string;
}

/** Finds the configuration of a job: that of the user, else one for the repository of the event alone. Resolves with its path. */
export async function prepareConfig(
  { platform, repository }: Pick<JobEvent, 'platform' | 'repository'>,
  { file, preset, directory }: JobConfigOptions,
): Promise<string> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) return file;
  const { apiUrl, path } = repository;
  const places = platform === 'github' ? { repositories: [path] } : { projects: [path] };
  const config = {
    platforms: { [platform]: { base_url: apiUrl, ...places } },
    ...(preset === undefined ? {} : { llm: { preset } }),
  };
  const written = join(directory, 'agent.config.yaml');
  await writeFile(written, stringify(config), { mode: 0o600 });
  return written;
}
