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
