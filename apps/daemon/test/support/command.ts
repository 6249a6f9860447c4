import { type CommandIo, explainErrors } from '../../src/cli/command-io.ts';

export interface CommandResult {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

export interface RunCommandOptions {
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly columns?: number | null | undefined;
}

/** Carries out one command as the command line does, and keeps what it says. */
export async function runCommand(
  command: (io: CommandIo) => Promise<number>,
  { environment = {}, columns = null }: RunCommandOptions = {},
): Promise<CommandResult> {
  const said: string[] = [];
  const warned: string[] = [];
  const ended = new AbortController();
  const io: CommandIo = {
    environment: { PATH: process.env.PATH, ...environment },
    print: (text) => said.push(text),
    warn: (text) => warned.push(text),
    columns,
    now: () => Date.parse('2026-01-02T00:00:00Z'),
    ended: ended.signal,
  };
  const code = await explainErrors(() => command(io), io).finally(() => ended.abort());
  return { code, output: said.join('\n'), errors: warned.join('\n') };
}
