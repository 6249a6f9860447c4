import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The daemon's own entry point, as it is. */
const daemonMain = fileURLToPath(new URL('../../../apps/daemon/src/main.ts', import.meta.url));

export interface DaemonProcess {
  /** Resolves when it has ended: its exit code, or 128 + n for signal n. */
  readonly ended: Promise<number>;
  readonly signal: (name: NodeJS.Signals) => void;
}

export interface RunDaemonOptions {
  readonly configPath: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Told of each line that it prints, on either stream. */
  readonly onLine: (line: string) => void;
}

/**
 * Starts `agent-daemon run --once`. It gets a process group of its own, so that Ctrl-C reaches it through
 * `signal` and therefore once, not twice.
 */
export function runDaemon({ configPath, environment, onLine }: RunDaemonOptions): DaemonProcess {
  const flags = ['run', '--once', '--config', configPath, '--log-format', 'pretty'];
  const child = spawn(process.execPath, ['--conditions=@agent/source', daemonMain, ...flags], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onLine);
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
  return { ended, signal: (name) => void child.kill(name) };
}

/** The environment of the daemon: ours, with its token, and with nothing in it that would choose another model. */
export function toDaemonEnvironment(
  environment: NodeJS.ProcessEnv,
  tokens: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const { LLM_BASE_URL: _, LLM_MODEL: __, NODE_OPTIONS: ___, ...others } = environment;
  return { ...others, ...tokens };
}
