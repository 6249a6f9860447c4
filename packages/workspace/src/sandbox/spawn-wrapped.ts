import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

/** A command as it is started. */
export interface WrappedCommand {
  /** Program and arguments: sandbox and limits included. */
  readonly command: readonly string[];
  /** Contents of its descriptors from 3 on. */
  readonly contents: readonly Uint8Array[];
}

export interface SpawnOptions<Input extends 'ignore' | 'pipe' = 'ignore' | 'pipe'> {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input: Input;
  readonly signal?: AbortSignal | undefined;
}

type Started<Input> = ChildProcessByStdio<Input extends 'pipe' ? Writable : null, Readable, Readable>;

/** Starts a command in a process group of its own. Of the descriptors of this process it inherits none. */
export function spawnWrapped<Input extends 'ignore' | 'pipe'>(
  { command, contents }: WrappedCommand,
  { directory, environment, input, signal }: SpawnOptions<Input>,
): Started<Input> {
  const [program = '', ...args] = command;
  const nothing = openSync('/dev/null', 'r');
  try {
    const stdio: ('ignore' | 'pipe' | number)[] = [
      input,
      'pipe',
      'pipe',
      ...contents.map(() => 'pipe' as const),
    ];
    // Node.js leaves a descriptor above 2 that is ignored as it is: it is replaced.
    for (const inherited of listInherited()) {
      while (stdio.length <= inherited) stdio.push('ignore');
      if (stdio[inherited] === 'ignore' && inherited > 2) stdio[inherited] = nothing;
    }
    const options = {
      cwd: directory,
      env: environment,
      detached: true,
      stdio,
      killSignal: 'SIGKILL',
    } as const;
    const child = spawn(program, args, { ...options, ...(signal === undefined ? {} : { signal }) });
    for (const [at, content] of contents.entries()) {
      const stream = child.stdio[at + 3] as Writable | null | undefined;
      // A program that ends before it has read everything says why on standard error.
      stream?.on('error', () => undefined).end(content, () => stream.destroy());
    }
    return child as unknown as Started<Input>;
  } finally {
    closeSync(nothing);
  }
}

/** `O_CLOEXEC`, which Node.js sets on all that it opens. @see asm-generic/fcntl.h */
const closesOnExec = 0o2000000;

/** Descriptors that programs would inherit from this process: what it inherited itself. Only Linux lists them. */
function listInherited(): readonly number[] {
  return listNames('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => {
      if (descriptor <= 2) return false;
      const flags = /^flags:\s*([0-7]+)/m.exec(readText(`/proc/self/fdinfo/${descriptor}`))?.[1];
      return flags !== undefined && (Number.parseInt(flags, 8) & closesOnExec) === 0;
    });
}

function listNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // Not Linux.
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It was closed since.
    return '';
  }
}
