import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

export interface DemoRun {
  readonly code: number | null;
  readonly output: string;
  /** What it left in the temporary directory; Node's own cache of compiled modules is meant to stay. */
  readonly left: readonly string[];
}

export interface DemoRunOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Sees all that it has printed so far. */
  readonly onOutput?: (output: string, pid: number) => void;
}

/** For its tests: runs the demonstration in a process of its own, with a temporary directory of its own. */
export async function runDemo(flags: readonly string[], options: DemoRunOptions = {}): Promise<DemoRun> {
  const scratch = await mkdtemp(join(tmpdir(), 'demo-test-'));
  try {
    const ended = await spawnDemo(flags, { ...options, env: { TMPDIR: scratch, ...options.env } });
    const left = (await readdir(scratch)).filter((name) => name !== 'node-compile-cache');
    return { ...ended, left };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function spawnDemo(
  flags: readonly string[],
  { env, onOutput }: DemoRunOptions,
): Promise<Omit<DemoRun, 'left'>> {
  const { LLM_BASE_URL: _, LLM_MODEL: __, LLM_API: ___, LLM_API_KEY: ____, ...inherited } = process.env;
  const child = spawn(process.execPath, ['--conditions=@agent/source', main, ...flags], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      onOutput?.(output, child.pid ?? 0);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: stripVTControlCharacters(output) }));
  });
}

/** Interrupts it as soon as it has printed this. */
export function interruptAt(pattern: RegExp): DemoRunOptions {
  let sent = false;
  return {
    onOutput: (text, pid) => {
      if (sent || !pattern.test(text)) return;
      sent = true;
      process.kill(pid, 'SIGINT');
    },
  };
}
