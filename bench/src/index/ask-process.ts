import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FlatnessFigures, FlatnessQuestion } from './measure-flatness.ts';
import type { StoreFigures, StoreQuestion } from './measure-store.ts';

interface Common {
  /** Whether writes of ours wait for the disk; the other stores do not. */
  readonly synced: boolean;
}

export type IndexQuestion =
  | (Common & StoreQuestion & { readonly type: 'store' })
  | (Common & FlatnessQuestion & { readonly type: 'flatness' });

const entry = fileURLToPath(new URL('./index-process.ts', import.meta.url));

export function askStore(question: Common & StoreQuestion): Promise<StoreFigures> {
  return ask({ type: 'store', ...question }) as Promise<StoreFigures>;
}

export function askFlatness(question: Common & FlatnessQuestion): Promise<FlatnessFigures> {
  return ask({ type: 'flatness', ...question }) as Promise<FlatnessFigures>;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: string;
}

async function ask(question: IndexQuestion): Promise<unknown> {
  const child = fork(entry, {
    execArgv: ['--conditions=@agent/source', '--disable-warning=ExperimentalWarning'],
    // Else taking the types out of the sources would be a fifth of its memory.
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'agent-bench-compile-cache') },
  });
  const exited = once(child, 'exit').then(([code]): Answer => ({ error: `The process ended with ${code}.` }));
  child.send(question);
  const answered = once(child, 'message').then(([answer]) => answer as Answer);
  const { result, error } = await Promise.race([answered, exited]);
  if (error !== undefined) throw new Error(error);
  await exited;
  return result;
}
