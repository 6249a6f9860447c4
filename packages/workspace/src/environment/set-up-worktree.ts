import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { longestSecret } from '@agent/text/secrets';
import { guardPath } from '../machine/guarded-path.ts';
import type { CommandPlace } from '../tools/command-place.ts';
import { formatResult, toFailure } from '../tools/command-process.ts';
import type { SetupPlan } from './choose-environment.ts';
import type { SetupCache } from './setup-cache.ts';

/** Command of a set-up, and the time that it took. */
export interface SetupStep {
  readonly command: string;
  readonly seconds: number;
}

/**
 * Outcome of a set-up. `unchanged`: the worktree was set up before; `restored`: with what an earlier one of the same locks had
 * made; `done`: its commands ran; `failed`: one of them did not succeed, and those after it did not run.
 */
export type SetupResult =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'restored'; readonly key: string }
  | { readonly kind: 'done'; readonly key: string; readonly steps: readonly SetupStep[] }
  | {
      readonly kind: 'failed';
      readonly key: string;
      readonly steps: readonly SetupStep[];
      readonly command: string;
      /** `exit code 1`, `timeout` … */
      readonly failure: string;
      /** Line that tells its end, then its output, the middle left out when too long; whoever shows a part hides secrets first. */
      readonly output: string;
    };

/** Options of `setUpWorktree`. */
export interface SetupOptions {
  readonly plan: SetupPlan;
  readonly worktree: string;
  readonly place: CommandPlace;
  /** Variables that commands get: what is installed may depend on them. */
  readonly variables: Readonly<Record<string, string>>;
  /** Null to keep nothing for other worktrees. */
  readonly cache: SetupCache | null;
  /** Key with which this worktree was set up before, well or not; null for never. */
  readonly earlierKey: string | null;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, for durations. */
  readonly now?: (() => number) | undefined;
}

/** Output of one command that is kept, in bytes: more than anybody is shown, so that secrets in it are whole when they are hidden. */
const maxOutputBytes = 8 * longestSecret;

/**
 * Makes a worktree ready once: with what an earlier set-up of the same branch and locks made, else by running its commands. Where
 * one fails, the rest does not run.
 */
export async function setUpWorktree(options: SetupOptions): Promise<SetupResult> {
  const { plan, worktree, place, cache, earlierKey } = options;
  const roots = { worktree, home: place.home };
  if (earlierKey !== null) {
    // The home went with the process that made it.
    await cache?.restore({ key: earlierKey, paths: plan.keep, roots, part: 'home' });
    return { kind: 'unchanged' };
  }
  const key = await computeSetupKey(options);
  const kept = { key, paths: plan.keep, roots };
  if (plan.keep.length > 0 && (await cache?.restore({ ...kept, part: 'all' })) === true)
    return { kind: 'restored', key };
  const ran = await runCommands(options);
  if ('failure' in ran) return { kind: 'failed', key, ...ran };
  if (plan.keep.length > 0) await cache?.keep(kept);
  return { kind: 'done', key, ...ran };
}

type Ran =
  | { readonly steps: readonly SetupStep[] }
  | Omit<Extract<SetupResult, { kind: 'failed' }>, 'kind' | 'key'>;

async function runCommands({
  plan,
  place,
  signal,
  now = () => performance.now(),
}: SetupOptions): Promise<Ran> {
  const steps: SetupStep[] = [];
  let leftMs = plan.timeoutMs;
  for (const command of plan.commands) {
    const begunAt = now();
    const result = await place.run({
      command: ['/bin/sh', '-ec', command],
      timeoutMs: Math.max(1, leftMs),
      ...{ maxOutputBytes, signal },
    });
    const tookMs = now() - begunAt;
    leftMs -= tookMs;
    steps.push({ command, seconds: Math.round(tookMs / 1_000) });
    const failure = toFailure(result);
    if (failure === null) continue;
    const output = formatResult(result, { timeoutMs: plan.timeoutMs, limits: place.limits });
    return { steps, command, failure, output };
  }
  return { steps };
}

/** Computes what tells one set-up from another: its commands, its variables, the machine, and the files that it rests on. */
async function computeSetupKey({ plan, worktree, variables }: SetupOptions): Promise<string> {
  const locks: (readonly [string, string])[] = [];
  for (const path of plan.locks) {
    const sha256 = await hashFile(worktree, path);
    if (sha256 !== null) locks.push([path, sha256]);
  }
  const machine = [process.platform, process.arch, process.version];
  const told = Object.entries(variables).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sha256Of(JSON.stringify([1, plan.commands, plan.keep, machine, told, locks]));
}

/** Null for what is not there, or no file of the repository. */
async function hashFile(worktree: string, path: string): Promise<string | null> {
  const found = await guardPath(worktree, path).catch(() => null);
  if (found === null || !found.exists || !(await stat(found.real)).isFile()) return null;
  return sha256Of(await readFile(found.real));
}

const sha256Of = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
