import { besideProxies } from '@agent/simulators/demo/parts';
import { type AppProcess, spawnApp } from './spawn-app.ts';

export interface RunDaemonOptions {
  readonly configPath: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Told of each line that it prints, on either stream. */
  readonly onLine: (line: string) => void;
  /** False for a daemon that goes on until it is ended. Default true. */
  readonly once?: boolean;
}

/** Starts `agent-daemon run`. */
export function runDaemon({ configPath, environment, onLine, once = true }: RunDaemonOptions): AppProcess {
  const flags = ['run', ...(once ? ['--once'] : []), '--config', configPath, '--log-format', 'pretty'];
  return spawnApp({ entry: 'apps/daemon/src/main.ts', flags, environment, onLine });
}

/** The environment of the daemon: ours, with its token, and with nothing in it that would choose another model. */
export function toDaemonEnvironment(
  environment: NodeJS.ProcessEnv,
  tokens: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const { LLM_BASE_URL: _, LLM_MODEL: __, NODE_OPTIONS: ___, ...others } = environment;
  return besideProxies({ ...others, ...tokens });
}
