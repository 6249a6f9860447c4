import { stripEscapes } from '@agent/text';
import { endLeftovers, endProcessGroup, signalGroup } from '../machine/end-processes.ts';
import {
  type CommandLimits,
  type Excess,
  type WatchFamilyOptions,
  watchFamily,
} from '../sandbox/command-limits.ts';
import { spawnWrapped, type WrappedCommand } from '../sandbox/spawn-wrapped.ts';
import { createCappedOutput, type HideSecrets } from './capped-output.ts';

export interface CommandCall {
  readonly command: WrappedCommand;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly hideSecrets: HideSecrets;
  /** Mark of every process of this call, in its environment. */
  readonly mark: string;
  /** Limits of all its processes together. */
  readonly limits: WatchFamilyOptions['limits'];
  /** Directories whose room is limited. */
  readonly directories: WatchFamilyOptions['directories'];
  /** Between two looks at what they take. Default a second. */
  readonly pause?: WatchFamilyOptions['pause'];
  readonly signal?: AbortSignal | undefined;
  /** Gets what it writes while it runs. Default nobody. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
}

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly endedBy: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** The resource of which it took too much, for which it was ended; null when it was not. */
  readonly excess: Excess | null;
  /** Standard output and standard error in the order they were written; the middle left out when too long. */
  readonly output: string;
}

/** Time in which output may still arrive after the command has ended, in milliseconds. */
const drainMs = 2000;

/**
 * A fixed line that only joins the two outputs into one and becomes the program; nothing of the model's is read as shell.
 */
const joinOutputs = ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh'] as const;

/**
 * Runs a command in a process group of its own and waits for its end. Whatever it started ends with it, also when it ends
 * by itself.
 *
 * @throws the signal's reason when aborted; what the system says when nothing could be started
 */
export async function runCommand(call: CommandCall): Promise<CommandResult> {
  call.signal?.throwIfAborted();
  try {
    return await start(call);
  } finally {
    await endLeftovers(call.mark);
  }
}

function start(call: CommandCall): Promise<CommandResult> {
  const command = [...joinOutputs, ...call.command.command];
  const child = spawnWrapped({ ...call.command, command }, { ...call, input: 'ignore', signal: undefined });
  const output = createCappedOutput({ maxBytes: call.maxOutputBytes, hideSecrets: call.hideSecrets });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', output.add);
    if (call.onOutput !== undefined) stream.on('data', call.onOutput);
  }
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    endProcessGroup(child.pid);
  }, call.timeoutMs);
  const onAbort = () => endProcessGroup(child.pid);
  call.signal?.addEventListener('abort', onAbort, { once: true });
  let excess: Excess | null = null;
  const watch = new AbortController();
  if (child.pid !== undefined) {
    void watchFamily({ ...call, root: child.pid, signal: watch.signal }).then((found) => {
      excess = found;
      if (found !== null && child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    });
  }
  return new Promise<CommandResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, endedBy) => {
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      void endLeftovers(call.mark);
      const finish = () => {
        clearTimeout(drain);
        child.stdout.destroy();
        child.stderr.destroy();
        if (call.signal?.aborted) reject(call.signal.reason);
        else resolve({ exitCode, endedBy, timedOut, excess, output: clean(output.text()) });
      };
      // What could not be ended may hold the pipe open for ever: it is not waited for.
      const drain = setTimeout(finish, drainMs);
      child.once('close', finish);
    });
  }).finally(() => {
    clearTimeout(timer);
    watch.abort();
    call.signal?.removeEventListener('abort', onAbort);
  });
}

function clean(text: string): string {
  return stripEscapes(text).replaceAll('\0', '');
}

/** A command that fails is a result like any other for the model, which reads its exit code; later runs hear of it. */
export function formatResult(result: CommandResult, limits: EndLimits): string {
  const output = result.output === '' ? '(no output)' : result.output.replace(/\n$/, '');
  return `${formatEnd(result, limits)}\n${output}`;
}

const excesses: Readonly<Record<Excess, string>> = {
  memory: 'too much memory',
  processes: 'too many processes',
  disk: 'too much disk',
};

/** Names the reason why a command did not succeed: `exit code 1`, `timeout` … Null if it succeeded. */
export function toFailure({ exitCode, endedBy, timedOut, excess }: CommandResult): string | null {
  if (excess !== null) return excesses[excess];
  if (timedOut) return 'timeout';
  if (exitCode === null) return `ended by ${endedBy}`;
  return exitCode === 0 ? null : `exit code ${exitCode}`;
}

interface EndLimits {
  readonly timeoutMs: number;
  readonly limits: CommandLimits;
}

function formatEnd(
  { exitCode, endedBy, timedOut, excess }: CommandResult,
  { timeoutMs, limits }: EndLimits,
): string {
  const all = 'and was ended, with everything that it had started.';
  if (excess === 'memory') return `Took more than ${limits.memoryMb} MB of memory ${all}`;
  if (excess === 'processes') return `Had more than ${limits.processes} processes and threads ${all}`;
  if (excess === 'disk')
    return `Took the repository and the home directory over ${limits.diskMb} MB of disk ${all} Remove what is not needed before the next command.`;
  if (timedOut) return `Timed out after ${timeoutMs / 1000} s ${all}`;
  return exitCode === null ? `Ended by ${endedBy}.` : `Exit code: ${exitCode}`;
}
