import type { Environment } from '../settings/parse-settings.ts';

/** What a command may touch. */
export interface CommandIo {
  readonly environment: Environment;
  readonly print: (text: string) => void;
  readonly warn: (text: string) => void;
}

/** What the command line says. */
export interface CommandFlags {
  /** Undefined: `.env`, if there is one. */
  readonly env?: string | undefined;
}

/** That of this process. */
export function processIo(): CommandIo {
  return {
    environment: process.env,
    print: (text) => void process.stdout.write(`${text}\n`),
    warn: (text) => void process.stderr.write(`${text}\n`),
  };
}
