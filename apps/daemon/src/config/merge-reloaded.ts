import { isDeepStrictEqual } from 'node:util';
import { builtInNames, entryOf } from '@agent/orchestrator/platforms';
import { isRecord } from '@agent/text/json';
import type { Config } from './schema.ts';

/** Keys that a daemon takes over while it works, by their paths; each with all that stands below it. */
export const reloadableKeys: readonly string[] = [
  'concurrency',
  'limits',
  'log.level',
  'poll_interval_seconds',
  'trust',
  ...builtInNames.flatMap((name) =>
    [entryOf(name).init.list, 'exclude', 'patterns'].map((key) => `platforms.${name}.${key}`),
  ),
];

/** A configuration that was read again, beside the one that a daemon works with. */
export interface ReloadedConfig {
  /** Configuration that the daemon works with from now on. */
  readonly config: Config;
  /** Paths of what changed and is taken over, sorted. */
  readonly changed: readonly string[];
  /** Paths of what changed and keeps its old value until the daemon is started again, sorted. */
  readonly needRestart: readonly string[];
}

/**
 * Takes over what may change while the daemon works. The repositories of an App stay where they are of another owner: its
 * installation was found for one.
 */
export function mergeReloaded(current: Config, next: Config): ReloadedConfig {
  const differing = listDifferences(current, next);
  const isTaken = (path: string) =>
    reloadableKeys.some((key) => path === key || path.startsWith(`${key}.`)) && !isOtherOwner(path);
  // What is excluded goes with what it is excluded from.
  const isOtherOwner = (path: string) =>
    path.startsWith('platforms.github.') &&
    (current.platforms.github?.app ?? null) !== null &&
    ownerOf(current) !== ownerOf(next);
  const changed = differing.filter(isTaken);
  const config = changed.reduce(
    (merged, path) => withValue(merged, path.split('.'), readValue(next, path)),
    current as unknown,
  );
  return { config: config as Config, changed, needRestart: differing.filter((path) => !isTaken(path)) };
}

function ownerOf({ platforms }: Config): string | undefined {
  return platforms.github?.repositories[0]?.split('/')[0]?.toLowerCase();
}

/** The paths at which two values differ, as deep as both have objects there. Lists are whole. */
function listDifferences(one: unknown, other: unknown, path = ''): readonly string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (!isRecord(one) || !isRecord(other)) return [path];
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return keys.flatMap((key) => listDifferences(one[key], other[key], path === '' ? key : `${path}.${key}`));
}

function readValue(value: unknown, path: string): unknown {
  return path.split('.').reduce((at, key) => (isRecord(at) ? at[key] : undefined), value);
}

function withValue(value: unknown, [key, ...rest]: readonly string[], written: unknown): unknown {
  if (key === undefined) return written;
  const record = isRecord(value) ? value : {};
  return { ...record, [key]: withValue(record[key], rest, written) };
}
