import { createInterface } from 'node:readline/promises';
import type { Locale } from '@agent/text/locale';
import type { Environment } from '@agent/workspace';
import type { Prompt } from '../init/ask-answers.ts';
import type { CliTexts } from './texts.en.ts';

/** States that runs are asked for by. */
export const runStates = [
  ...[
    'running',
    'delivering',
    'queued',
    'needs_input',
    'paused',
    'in_review',
    'ended',
    'completed',
    'answered',
  ],
  ...['nothing_to_change', 'partial', 'stopped', 'failed'],
] as const;

/** Everything that a command may touch beside its configuration. */
export interface CommandIo {
  readonly environment: Environment;
  /** Standard output. */
  readonly print: (text: string) => void;
  /** Standard error. */
  readonly warn: (text: string) => void;
  /** Columns of the terminal; null where output goes into a file or another program. */
  readonly columns: number | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Aborted when the command has ended: what it opened is closed. */
  readonly ended: AbortSignal;
}

/**
 * Streams and environment of this process. Whoever reads its output may stop early (`show … | head`): the command ends
 * as it would have. A process that carries out one command after the other listens once.
 */
export function processIo(ended: AbortSignal): CommandIo {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.off('error', letReaderLeave).on('error', letReaderLeave);
  return {
    environment: process.env,
    print: (text) => void stdout.write(`${text}\n`),
    warn: (text) => void stderr.write(`${text}\n`),
    columns: stdout.isTTY ? stdout.columns : null,
    now: Date.now,
    ended,
  };
}

function letReaderLeave(error: NodeJS.ErrnoException): void {
  // EIO: the terminal was closed.
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
}

/** A command that cannot be carried out as it was given. The message is for the person at the terminal. */
export class CommandError extends Error {
  readonly code = 'command';

  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** Tells an error whose message is all that the person at the terminal needs: it has a code. */
export function isForPeople(error: unknown): error is Error {
  return error instanceof Error && 'code' in error;
}

/**
 * Ends the process a moment after its command, by the code that was set, where something still holds it: a timer of an adapter that
 * was plugged in, or a receiver of telemetry that never answers. What it printed has 10 seconds to be read.
 */
export function endWhateverIsOpen(
  target: Pick<NodeJS.Process, 'exit' | 'stdout' | 'stderr'>,
  { afterMs = 2_000, flushMs = 10_000 }: { readonly afterMs?: number; readonly flushMs?: number } = {},
): void {
  const end = (leftMs: number): void => {
    const isWritten = [target.stdout, target.stderr].every(({ writableLength }) => writableLength === 0);
    if (isWritten || leftMs <= 0) target.exit();
    else setTimeout(() => end(leftMs - 100), 100).unref();
  };
  setTimeout(() => end(flushMs), afterMs).unref();
}

/** Runs a command; an error for people becomes one clear line and exit code 1, any other goes on. */
export async function explainErrors(
  command: () => Promise<number>,
  { warn }: { readonly warn: (text: string) => void },
): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (!isForPeople(error)) throw error;
    warn(`agent-daemon: ${error.message}`);
    return 1;
  }
}

/** Runs a command with this process's streams; an error for people becomes one clear line and exit code 1. */
export function runWithIo(command: (io: CommandIo) => Promise<number>): Promise<number> {
  const ended = new AbortController();
  const io = processIo(ended.signal);
  return explainErrors(() => command(io), io).finally(() => ended.abort());
}

/** Runs a command that asks on the terminal; the prompt is null without a terminal. Ctrl-C and Ctrl-D reject the question. */
export function runWithPrompt(
  command: (parts: { readonly io: CommandIo; readonly prompt: Prompt | null }) => Promise<number>,
): Promise<number> {
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY || !output.isTTY) return runWithIo((io) => command({ io, prompt: null }));
  const lines = createInterface({ input, output });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  const prompt: Prompt = (question) => lines.question(question, { signal: ended.signal });
  return runWithIo((io) => command({ io, prompt }).finally(() => lines.close()));
}

/** Loads the texts of one language, and of that alone. */
export async function loadTexts(locale: Locale): Promise<CliTexts> {
  return locale === 'ja' ? (await import('./texts.ja.ts')).ja : (await import('./texts.en.ts')).en;
}
