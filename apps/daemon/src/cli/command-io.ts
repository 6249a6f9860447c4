import { ConfigError } from '../config/config-error.ts';
import type { Environment } from '../config/load-config.ts';

/** What a command may touch beside its configuration. */
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
}

/** That of this process. Whoever reads its output may stop early (`show … | head`): the command ends as it would have. */
export function processIo(): CommandIo {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on('error', letReaderLeave);
  return {
    environment: process.env,
    print: (text) => void stdout.write(`${text}\n`),
    warn: (text) => void stderr.write(`${text}\n`),
    columns: stdout.isTTY ? stdout.columns : null,
    now: Date.now,
  };
}

function letReaderLeave(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** A command that cannot be carried out as it was given. The message is for the person at the terminal. */
export class CommandError extends Error {
  readonly code = 'command';

  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** Errors whose message is all that the person at the terminal needs. */
export function isForPeople(error: unknown): error is Error {
  return error instanceof ConfigError || (error instanceof Error && 'code' in error);
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
