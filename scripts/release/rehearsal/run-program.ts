import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { quietEnvironment } from '../../workspace/quiet-environment.ts';

/** Limit for one program, in milliseconds: a bound on what hangs. */
const limitMs = 900_000;
const maxOutput = 100_000_000;
/** Lines of the output that an error quotes. */
const lastLines = 60;

/**
 * Runs a program in a folder.
 *
 * @returns what it wrote to standard output
 * @throws Error with the end of the output if it fails or takes more than 15 minutes
 */
export async function runProgram(
  folder: string,
  [program, ...args]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { NODE_OPTIONS: _options, NODE_ENV: _mode, ...inherited } = quietEnvironment();
  const settings = { cwd: folder, env: { ...inherited, NO_COLOR: '1', CI: 'true', ...environment } };
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      ...settings,
      maxBuffer: maxOutput,
      signal: AbortSignal.timeout(limitMs),
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    const said = `${stdout}${stderr}`.split('\n').slice(-lastLines).join('\n');
    throw new Error(`${[program, ...args].join(' ')} failed:\n${said}`, { cause: error });
  }
}
