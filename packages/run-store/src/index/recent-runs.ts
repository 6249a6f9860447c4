import { stat, writeFile } from 'node:fs/promises';
import type { Logger } from '@agent/text';
import { createKeyedTurns } from '@agent/text/waiting';
import { z } from 'zod';
import { privateFile, replaceFile } from '../disk/files.ts';
import { dropTornLine, readLastLines } from '../disk/lines.ts';
import { or, orNull, parseOrNull, toCamelCase } from '../disk/stored-values.ts';
import type { RunEnd } from '../journal-model.ts';
import { type Outcome, outcomes } from '../outcome.ts';
import { readMetadata, readOutcome } from '../record/run-record.ts';
import type { Json, RunMetadata } from '../run-model.ts';

/** A run that ended, as the list of recent runs shows it. */
export interface RecentRun {
  readonly uuid: string;
  readonly taskKeyText: string;
  readonly host: string;
  /** Null for a run that was put away without an outcome. */
  readonly status: Outcome | null;
  /** Reason of the outcome, at most 500 characters; null for none. */
  readonly reason: string | null;
  /** Author of the issue or pull request; null if it is unknown. */
  readonly user: string | null;
  readonly title: string | null;
  /** The number of the issue, pull or merge request. */
  readonly number: number | null;
  readonly url: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC; null for a run that was put away without an outcome. */
  readonly finishedAt: string | null;
  /** 0 for a run that took nothing over. */
  readonly inheritanceDepth: number;
  /** Tokens of what it took over. */
  readonly inheritedTokens: number;
}

const lineSchema = z
  .object({
    uuid: z.string(),
    task_key_text: z.string(),
    host: z.string(),
    status: z.enum(outcomes).nullable(),
    reason: orNull(z.string()),
    user: orNull(z.string()),
    title: orNull(z.string()),
    number: orNull(z.number()),
    url: orNull(z.string()),
    created_at: z.string(),
    finished_at: z.string().nullable(),
    inheritance_depth: z.number(),
    inherited_tokens: or(z.number(), 0),
  })
  .transform((line) => toCamelCase(line));

const maxReasonChars = 500;

/** A line of `recent.jsonl`; title, number, url and tokens are taken from the run's `extra`, where they are there. */
function toRecentLine(
  metadata: RunMetadata,
  outcome: (Pick<RunEnd, 'status' | 'reason'> & { readonly finishedAt: string }) | null,
): object {
  const { title, number, url, inherited_tokens: inheritedTokens } = metadata.extra;
  return {
    uuid: metadata.uuid,
    task_key_text: metadata.taskKeyText,
    host: metadata.host,
    status: outcome?.status ?? null,
    ...pick('reason', outcome?.reason?.slice(0, maxReasonChars).toWellFormed(), 'string'),
    ...pick('user', metadata.user ?? undefined, 'string'),
    ...pick('title', title, 'string'),
    ...pick('number', number, 'number'),
    ...pick('url', url, 'string'),
    created_at: metadata.createdAt,
    finished_at: outcome?.finishedAt ?? null,
    inheritance_depth: metadata.inheritanceDepth,
    ...pick('inherited_tokens', inheritedTokens, 'number'),
  };
}

/** Shows a run that ended as the list does. */
export function toRecentRun(...ended: Parameters<typeof toRecentLine>): RecentRun {
  return lineSchema.parse(toRecentLine(...ended));
}

/** Reads a line back; null for one that says nothing. */
export function parseRecentLine(text: string): RecentRun | null {
  return parseOrNull(text, (json) => lineSchema.parse(json));
}

function pick(name: string, value: Json | undefined, type: 'string' | 'number'): object {
  return typeof value === type ? { [name]: value } : {};
}

/** `recent.jsonl`: one line for each run that ended, the latest last. Only for people to look at. */
interface RecentRuns {
  /**
   * Adds the run in this directory, unless one of the last lines is its own already. A line that cannot be written
   * is logged: it must not keep the run from ending.
   */
  readonly add: (directory: string) => Promise<void>;
}

/** Room for more than 100,000 runs. */
const maxBytes = 64 * 1024 * 1024;

/** Runs that end at the same time, and are cut short by the same crash, are never more than these. */
const checkedLines = 200;

export function createRecentRuns(path: string, logger: Logger | null): RecentRuns {
  const turns = createKeyedTurns();
  async function add(directory: string): Promise<void> {
    const metadata = await readMetadata(directory);
    const line = toRecentLine(metadata, await readOutcome(directory));
    await writeFile(path, '', { flag: 'a', mode: privateFile });
    await dropTornLine(path);
    const lines = await readLastLines(path, checkedLines);
    if (lines.some((text) => text.includes(`"${metadata.uuid}"`))) return;
    await writeFile(path, `${JSON.stringify(line)}\n`, { flag: 'a', mode: privateFile });
    await shorten(path);
  }
  return {
    // One after the other: each looks at the file's end, and may cut it.
    add: (directory) =>
      turns(path, () => add(directory)).catch((err: unknown) =>
        logger?.warn({ err, path }, 'failed to add run to recent runs'),
      ),
  };
}

/** Keeps the list from growing for ever: the newer half stays. */
async function shorten(path: string): Promise<void> {
  const { size } = await stat(path);
  if (size <= maxBytes) return;
  const lines = await readLastLines(path, Number.POSITIVE_INFINITY);
  const kept = lines.slice(Math.floor(lines.length / 2));
  await replaceFile(path, toText(kept), { sync: false });
}

/** The last runs that ended, the latest last, and how many of the lines read say nothing. */
export async function listRecentRuns(
  path: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<{ readonly runs: readonly RecentRun[]; readonly unreadable: number }> {
  const lines = await readLastLines(path, limit);
  const runs = lines.map(parseRecentLine).filter((run) => run !== null);
  return { runs, unreadable: lines.length - runs.length };
}

/** Removes the lines of these runs; a line that says nothing stays. */
export async function removeRecentRuns(path: string, isRemoved: (run: RecentRun) => boolean): Promise<void> {
  const lines = await readLastLines(path, Number.POSITIVE_INFINITY);
  const kept = lines.filter((line) => {
    const run = parseRecentLine(line);
    return run === null || !isRemoved(run);
  });
  if (kept.length < lines.length) await replaceFile(path, toText(kept));
}

/** Writes the line of a run again from its directory, where there is one. */
export async function replaceRecentRun(path: string, directory: string): Promise<void> {
  const metadata = await readMetadata(directory);
  const line = JSON.stringify(toRecentLine(metadata, await readOutcome(directory)));
  const lines = await readLastLines(path, Number.POSITIVE_INFINITY);
  const replaced = lines.map((text) => (parseRecentLine(text)?.uuid === metadata.uuid ? line : text));
  if (replaced.some((text, index) => text !== lines[index])) await replaceFile(path, toText(replaced));
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
