import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createIssueStory } from './issue-story.ts';
import { createLogTail } from './log-tail.ts';
import { type DemonstrationResult, prepareDemonstration } from './prepare-demonstration.ts';

/** Options of a demonstration that is played to its end. */
export interface PlayDemonstrationOptions {
  /** Program and arguments that run the daemon once; `--config` and the file are added. */
  readonly command: readonly [program: string, ...args: string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives each line: what users see on the issue and the diff of the draft, or with `verbose` the log. */
  readonly print: (line: string) => void;
  /** Prints the daemon's log and what the model says instead. Default false. */
  readonly verbose?: boolean;
}

/** What a demonstration came to. */
export interface PlayedDemonstration extends DemonstrationResult {
  /** Exit code of the command; 128 + n where signal n ended it. */
  readonly exitCode: number;
}

/**
 * Plays a demonstration: a forge, people and a model on loopback, and the daemon that finishes an issue. It leaves nothing on disk.
 *
 * @example
 * const command = [process.execPath, 'node_modules/.bin/agent-daemon', 'run', '--once', '--log-format', 'pretty'] as const;
 * const { isFinished } = await playDemonstration({ command, environment: process.env, print: console.log });
 */
export async function playDemonstration(options: PlayDemonstrationOptions): Promise<PlayedDemonstration> {
  const { print, verbose = false } = options;
  const directory = await mkdtemp(join(tmpdir(), 'agent-demo-'));
  const demonstration = await prepareDemonstration({
    tell: (who, text) => {
      if (verbose) print(`  ${who}: ${text}`);
      else if (who !== 'model') story.personSays(who, text);
    },
  });
  const story = createIssueStory(demonstration.forge, ({ heading, lines }) => {
    for (const line of ['', heading, ...lines.map((one) => `  ${one}`)]) print(line);
  });
  const log = createLogTail();
  try {
    if (!verbose) story.begin();
    const config = join(directory, 'agent.config.yaml');
    await writeFile(config, JSON.stringify(demonstration.configuration));
    const { LLM_BASE_URL: _, LLM_MODEL: __, ...own } = options.environment;
    const [program, ...args] = options.command;
    const exitCode = await runToItsEnd(
      [program, ...args, '--config', config],
      besideProxies({ ...own, ...demonstration.environment }),
      (line) => {
        demonstration.daemonSays(line);
        log.add(line);
        if (verbose) print(line);
        else story.catchUp();
      },
    );
    const result = demonstration.result();
    if (verbose) return { ...result, exitCode };
    story.catchUp();
    if (!result.isFinished) for (const line of log.lines()) print(line);
    return { ...result, exitCode };
  } finally {
    await demonstration.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Has programs reach loopback without the proxy that the environment may name, and all else as before. */
export function besideProxies(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const named = environment.no_proxy || environment.NO_PROXY;
  const beside = named ? `${named},127.0.0.1` : '127.0.0.1';
  return { ...environment, no_proxy: beside, NO_PROXY: beside };
}

/** Runs a program; Ctrl-C reaches it by the terminal, and other signals are passed on, so that everything is removed afterwards. */
async function runToItsEnd(
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  hear: (line: string) => void,
): Promise<number> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const wait = (): void => {};
  const pass = (): void => void child.kill('SIGTERM');
  process.on('SIGINT', wait).on('SIGTERM', pass).on('SIGHUP', pass);
  try {
    createInterface({ input: child.stdout }).on('line', hear);
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
    });
  } finally {
    process.off('SIGINT', wait).off('SIGTERM', pass).off('SIGHUP', pass);
  }
}
