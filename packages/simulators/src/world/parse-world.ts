import { parse } from 'yaml';
import { WorldError } from './world-error.ts';
import type { WorldSeed } from './world-seed.ts';

/**
 * Reads a seed out of the text of a YAML or JSON file; `startWorld` checks what it says.
 *
 * @throws WorldError with line and column where the text is neither
 */
export function parseWorld(text: string): WorldSeed {
  const data = parseYaml(text, 'The seed');
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new WorldError('The seed has no sections. Start it with one such as "github:".');
  return data as WorldSeed;
}

/** Reads YAML, or JSON, which is YAML too. @throws WorldError with the place of the first fault */
export function parseYaml(text: string, what: string): unknown {
  try {
    return parse(text, { prettyErrors: true, logLevel: 'error' }) as unknown;
  } catch (cause) {
    throw new WorldError(`${what} is not valid YAML: ${(cause as Error).message.trimEnd()}`, { cause });
  }
}
