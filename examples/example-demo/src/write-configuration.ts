import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** Writes `agent.config.yaml` into the directory, as a person would. @returns its path */
export async function writeConfiguration(directory: string, configuration: object): Promise<string> {
  const path = join(directory, 'agent.config.yaml');
  await writeFile(path, stringify(configuration));
  return path;
}
