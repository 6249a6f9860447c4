import { Readable, Writable } from 'node:stream';
import { endLeftovers, signalGroup } from '../machine/end-processes.ts';
import type { CommandLimits, Excess, WatchFamilyOptions } from '../sandbox/command-limits.ts';
import { watchFamily } from '../sandbox/command-limits.ts';
import { spawnWrapped, type WrappedCommand } from '../sandbox/spawn-wrapped.ts';
import { createCappedOutput, type HideSecrets } from './capped-output.ts';

/** A process that goes on in the place of a run's commands, and is talked to over its standard input and output. */
export interface PlacedProcess {
  readonly input: WritableStream<Uint8Array>;
  readonly output: ReadableStream<Uint8Array>;
  /** Resolves once it has ended, with how and its last words on standard error. */
  readonly ended: Promise<string>;
  /** Lets it end by itself for a moment, then ends it with all that it started. */
  readonly end: () => Promise<void>;
}

interface ProcessToStart {
  readonly command: WrappedCommand;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Mark of every process that comes of it, in its environment. */
  readonly mark: string;
  readonly limits: CommandLimits;
  readonly hideSecrets: HideSecrets;
  /** Directories whose room is limited. */
  readonly directories: WatchFamilyOptions['directories'];
  readonly pause?: WatchFamilyOptions['pause'];
}

const maxLastWords = 2_000;
const graceMs = 2_000;
/** Milliseconds in which output may still arrive after the end. */
const drainMs = 2_000;

/** Starts a process that stays, under the limits of commands. */
export async function startPlacedProcess(started: ProcessToStart): Promise<PlacedProcess> {
  const { command, mark } = started;
  const child = spawnWrapped(command, { ...started, input: 'pipe' });
  const lastWords = createCappedOutput({ maxBytes: maxLastWords, hideSecrets: started.hideSecrets });
  child.stderr.on('data', lastWords.add);
  // What is written to a process that has ended is lost; that it has ended is told by `ended`.
  child.stdin.on('error', () => undefined);
  const watch = new AbortController();
  let excess: Excess | null = null;
  let isEnding = false;
  const end = (): void => void (child.pid !== undefined && signalGroup(child.pid, 'SIGKILL'));
  // What it started may hold its output open for ever: it is ended with it, and not waited for.
  child.once('exit', () => {
    end();
    void endLeftovers(mark);
    const drain = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, drainMs);
    child.once('close', () => clearTimeout(drain));
  });
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => {
      watch.abort();
      const how = describeEnd({ code, signal, excess, isEnding }, started.limits);
      const said = lastWords.text().trim();
      resolve(said === '' ? how : `${how} and said: ${said}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  if (child.pid !== undefined)
    void watchFamily({ ...started, root: child.pid, signal: watch.signal }).then((found) => {
      excess = found;
      if (found !== null) end();
    });
  return {
    input: Writable.toWeb(child.stdin),
    output: Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    ended,
    end: async () => {
      isEnding = true;
      child.stdin.end();
      const timer = setTimeout(end, graceMs);
      if (child.exitCode === null && child.signalCode === null) await ended;
      clearTimeout(timer);
      end();
      await endLeftovers(mark);
    },
  };
}

/** End of a process, and what is known of its reason. */
interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly excess: Excess | null;
  /** True where it was told to end. */
  readonly isEnding: boolean;
}

const key = 'tools.run_command.limits';

/** Says how it ended. Of a limit that the kernel keeps only the signal is known, which others send, too. */
function describeEnd({ code, signal, excess, isEnding }: ProcessEnd, limits: CommandLimits): string {
  if (excess !== null) return `it ${describeExcess(excess, limits)}`;
  const how = code === null ? `it was ended by ${signal}` : `it ended with exit code ${code}`;
  if (isEnding) return how;
  // Where a wall stands around it, that ends with the number of the signal.
  if (signal === 'SIGKILL' || signal === 'SIGXCPU' || code === 137 || code === 152)
    return `${how}, as the kernel does at ${key}.cpu_seconds (${limits.cpuSeconds}), or where the machine has no memory left`;
  if (signal === 'SIGXFSZ' || code === 153)
    return `${how}, as the kernel does at ${key}.file_size_mb (${limits.fileSizeMb})`;
  return how;
}

function describeExcess(excess: Excess, { memoryMb, processes, diskMb }: CommandLimits): string {
  switch (excess) {
    case 'memory':
      return `took more than ${memoryMb} MB of memory with all that it started (${key}.memory_mb), and was ended`;
    case 'processes':
      return `had more than ${processes} processes and threads with all that it started (${key}.processes), and was ended`;
    case 'disk':
      return `took worktree and home over ${diskMb} MB of disk (${key}.disk_mb), and was ended`;
  }
}
