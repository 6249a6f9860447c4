import { join } from 'node:path';
import { run } from '../bootstrap/processes.mjs';
import { quietEnvironment } from '../workspace/quiet-environment.ts';
import { repositoryRoot } from '../workspace/root.ts';

/** Whether nobody watches: then nothing may move the cursor or color the text. */
export const isPlain: boolean = process.env.CI !== undefined || process.stdout.isTTY !== true;

/**
 * Runs a program of the workspace in its root; resolves with the exit code.
 *
 * @param environment variables beside those of this process
 */
export function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  return run(program, args, { ...inWorkspace(environment), stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Runs a program of the workspace in its root; resolves with the exit code and what it printed on both streams. */
export async function readCommand([program, ...args]: readonly [string, ...string[]]): Promise<{
  readonly exitCode: number;
  readonly output: string;
}> {
  let output = '';
  const onText = (text: string): void => {
    output += text;
  };
  const exitCode = await run(program, args, {
    ...inWorkspace({}),
    stdio: ['ignore', 'pipe', 'pipe'],
    onText,
  });
  return { exitCode, output };
}

const inWorkspace = (environment: Readonly<Record<string, string>>) => ({
  cwd: repositoryRoot,
  env: {
    ...quietEnvironment(),
    ...environment,
    ...(isPlain ? { NO_COLOR: '1' } : {}),
    // What runs for one package after the other is compiled once.
    NODE_COMPILE_CACHE: join(repositoryRoot, 'node_modules', '.cache', 'compiled'),
  },
});
