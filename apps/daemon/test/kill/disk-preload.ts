/**
 * Loaded into the daemon with `node --import`, before anything else: counts what it writes to disk, and kills it
 * at the moment that the environment names. The daemon's own sources know nothing of it.
 */
import fs, { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import type { DiskMoment } from './moment.ts';

interface Plan {
  readonly moment: DiskMoment | null;
  /** SIGTERM lets the daemon go on. */
  readonly signal: 'SIGKILL' | 'SIGTERM';
  /** Where the daemon keeps its contexts: everything below it counts. Elsewhere only written and renamed files do. */
  readonly contexts: string;
  /** Counts what is below this directory, and nothing else. */
  readonly root: string;
  /** Counts only from when this file exists; null: from the beginning. */
  readonly armedBy: string | null;
  /** Gets a line when the daemon is killed. */
  readonly killedFile: string;
  /** Gets the number of writes when the daemon ends by itself. */
  readonly countFile: string;
}

const plan = JSON.parse(process.env.KILL_PLAN ?? '') as Plan;
const paths = new WeakMap<FileHandle, string>();
const handles = new Map<number, FileHandle>();
let count = 0;

type Operation = (...args: never[]) => unknown;

interface Work<Result> {
  readonly path: string;
  readonly run: () => Result;
  /** Carries out half of it. */
  readonly torn?: () => unknown;
}

/** Counts one operation; a label and where to die when it is the one. */
function meet(
  name: string,
  path: string,
): { readonly label: string; readonly side: DiskMoment['side'] } | null {
  const label = `${name} ${basename(path).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>')}`;
  if (!isCounted(name, path) || !label.includes(plan.moment?.match ?? '')) return null;
  count += 1;
  return plan.moment !== null && count === plan.moment.nth ? { label, side: plan.moment.side } : null;
}

/** Carries out one operation, and dies before, in the middle of or after it when it is the one. */
async function pass<Result>(name: string, work: Work<Promise<Result>>): Promise<Result> {
  const met = meet(name, work.path);
  if (met === null) return work.run();
  if (met.side === 'torn') await work.torn?.();
  if (met.side !== 'after') die(met.label);
  const result = await work.run();
  if (met.side === 'after') die(met.label);
  return result;
}

/** The same for an operation that the process waits for. */
function passSync<Result>(name: string, work: Work<Result>): Result {
  const met = meet(name, work.path);
  if (met === null) return work.run();
  if (met.side === 'torn') work.torn?.();
  if (met.side !== 'after') die(met.label);
  const result = work.run();
  if (met.side === 'after') die(met.label);
  return result;
}

function isCounted(name: string, path: string): boolean {
  if (plan.armedBy !== null && !existsSync(plan.armedBy)) return false;
  if (path.startsWith(plan.contexts)) return true;
  return path.startsWith(plan.root) && ['rename', 'writeFile'].includes(name);
}

function die(label: string): void {
  appendFileSync(plan.killedFile, `${label}\n`);
  process.kill(process.pid, plan.signal);
  // Nothing of a process that is killed may go on until the signal has arrived.
  if (plan.signal === 'SIGKILL') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** What was opened as a handle and is open still; a closed handle's number is given out again. */
function findPath(fd: number): string {
  const handle = handles.get(fd);
  return handle?.fd === fd ? (paths.get(handle) ?? '') : '';
}

function half(data: unknown): Buffer {
  const bytes = Buffer.from(data as string);
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

/** What a line of a record that is no message tells of, so that a moment can be named by it. */
function nameFact(data: unknown): string {
  const fact = /^\{"fact":"([^"]+)"/.exec(String(data).slice(0, 80))?.[1];
  return fact === undefined ? '' : ` ${fact}`;
}

function patch(target: object, name: string, wrap: (original: Operation, self: unknown) => Operation): void {
  const operations = target as Record<string, Operation>;
  const original = operations[name];
  if (original === undefined) throw new Error(`this Node has no ${name}`);
  operations[name] = function (this: unknown, ...args) {
    return wrap(original.bind(this) as Operation, this)(...args);
  };
}

const pathFunctions = { rename: 1, link: 1, mkdir: 0, rm: 0 } as const;
for (const [name, index] of Object.entries(pathFunctions)) {
  patch(promises, name, (original) => (...args: never[]) => {
    return pass(name, { path: String(args[index]), run: async () => original(...args) });
  });
}

patch(promises, 'writeFile', (original) => (...args: never[]) => {
  const [path, data, ...rest] = args;
  const torn = () => original(path as never, half(data) as never, ...rest);
  return pass('writeFile', { path: String(path), run: async () => original(...args), torn });
});

patch(fs, 'writeSync', (original) => (...args: never[]) => {
  const [fd, data] = args as readonly unknown[] as readonly [number, unknown];
  const torn = () => original(fd as never, half(data) as never);
  return passSync('write', { path: `${findPath(fd)}${nameFact(data)}`, run: () => original(...args), torn });
});

patch(promises, 'open', (original) => async (...args: never[]) => {
  const handle = (await original(...args)) as FileHandle;
  paths.set(handle, String(args[0]));
  handles.set(handle.fd, handle);
  return handle;
});

const probe = await promises.open(new URL(import.meta.url));
const handlePrototype = Object.getPrototypeOf(probe) as object;
await probe.close();
for (const name of ['datasync', 'sync', 'truncate'] as const) {
  patch(handlePrototype, name, (original, self) => (...args: never[]) => {
    return pass(name, { path: paths.get(self as FileHandle) ?? '', run: async () => original(...args) });
  });
}
for (const name of ['write', 'writeFile'] as const) {
  patch(handlePrototype, name, (original, self) => (...args: never[]) => {
    const torn = () => original(half(args[0]) as never);
    return pass(name, {
      path: `${paths.get(self as FileHandle) ?? ''}${nameFact(args[0])}`,
      run: async () => original(...args),
      torn,
    });
  });
}
syncBuiltinESMExports();

process.on('exit', () => writeFileSync(plan.countFile, String(count)));
