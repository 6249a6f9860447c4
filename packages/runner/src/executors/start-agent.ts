import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { sleepBySystem } from '../call-limits.ts';
import type { Sleep } from '../run-options.ts';
import { AgentFailure } from './executor.ts';

/** A running agent, as it is talked to. */
export interface AgentProcess {
  readonly input: WritableStream<Uint8Array>;
  readonly output: ReadableStream<Uint8Array>;
  /** Resolves once it has ended, with how and its last words on standard error. */
  readonly ended: Promise<string>;
  /** Lets it end by itself for a moment, then ends it with all that it started. */
  readonly end: () => Promise<void>;
}

/** Starts an agent. Nothing of one that an earlier process of the same run started is left when it resolves. */
export type StartAgent = () => Promise<AgentProcess>;

/** A program to start. */
export interface AgentProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the program. */
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  /** Milliseconds between the end of its input and the end by force. Default 2,000. */
  readonly graceMs?: number | undefined;
  /** Default the system's timer. */
  readonly sleep?: Sleep | undefined;
}

const maxLastWords = 2_000;
/** Milliseconds in which words may still arrive after the end. */
const drainMs = 2_000;

/** Starts a program in a group of processes of its own, so that it is ended with what it started. */
export async function startAgentProcess(program: AgentProgram): Promise<AgentProcess> {
  const { command, args, environment: env, directory: cwd, graceMs = 2_000, sleep = sleepBySystem } = program;
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let lastWords = '';
  child.stderr.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString('utf8')).slice(-maxLastWords);
  });
  // What is written to an agent that has ended is lost; that it has ended is told by `ended`.
  child.stdin.on('error', () => undefined);
  const closed = new AbortController();
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => {
      closed.abort();
      resolve(describeEnd({ code, signal, lastWords }));
    });
  });
  // What it started may hold its output open for ever: it is ended with it, and not waited for.
  child.once('exit', () => {
    endGroup(child.pid);
    void sleep(drainMs, { signal: closed.signal })
      .catch(() => undefined)
      .then(() => [child.stdout, child.stderr].map((stream) => stream.destroy()));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => reject(cannotStart(command, cause)));
  });
  return {
    input: Writable.toWeb(child.stdin),
    output: Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    ended,
    end: async () => {
      child.stdin.end();
      const over = new AbortController();
      const grace = sleep(graceMs, { signal: over.signal }).catch(() => undefined);
      await Promise.race([ended, grace]);
      over.abort();
      endGroup(child.pid);
      await ended;
    },
  };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function cannotStart(command: string, cause: Error): AgentFailure {
  const message = `The agent "${command}" could not be started (${cause.message}). Check that it is installed and in PATH.`;
  return new AgentFailure(message, { code: 'not-started', said: `${command}: ${cause.message}`, cause });
}

function describeEnd({
  code,
  signal,
  lastWords,
}: {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastWords: string;
}): string {
  const how = code === null ? `it was ended by ${signal}` : `it ended with exit code ${code}`;
  const said = lastWords.trim();
  return said === '' ? how : `${how} and said: ${said}`;
}
