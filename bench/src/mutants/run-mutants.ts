import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './list-mutants.ts';
import type { Verdict } from './try-mutants.ts';

/** What became of a mutant: `stuck` ones ran into no end, which a test run notices. `open` ones were not tried in time. */
export type Outcome = Verdict['outcome'] | 'stuck' | 'open';

export interface RunOptions {
  /** Milliseconds for one mutant, after which it is stuck. */
  readonly mutantMs: number;
  /** Milliseconds for all: what is not tried by then stays open. */
  readonly totalMs: number;
  readonly onVerdict: (mutant: Mutant, outcome: Outcome) => void;
}

const trial = fileURLToPath(new URL('./try-mutants.ts', import.meta.url));

/** Tries every mutant in processes of their own, and begins a new one where a mutant doesn't end. */
export async function runMutants(
  mutants: readonly Mutant[],
  options: RunOptions,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = mutants.map(() => 'open');
  const endsAt = performance.now() + options.totalMs;
  const waiting = new Map(mutants.map((mutant, index) => [index, mutant]));
  while (waiting.size > 0 && performance.now() < endsAt) {
    await runOnce(
      [...waiting].map(([index, mutant]) => ({ ...mutant, index })),
      {
        ...options,
        endsAt,
        settle: (index, outcome) => {
          const mutant = waiting.get(index);
          if (mutant === undefined) return;
          waiting.delete(index);
          outcomes[index] = outcome;
          options.onVerdict(mutant, outcome);
        },
      },
    );
  }
  return outcomes;
}

interface Round {
  readonly mutantMs: number;
  readonly endsAt: number;
  readonly settle: (index: number, outcome: Outcome) => void;
}

async function runOnce(
  mutants: readonly (Mutant & { readonly index: number })[],
  round: Round,
): Promise<void> {
  // A group of its own: the processes that run tests end with it.
  const child = fork(trial, {
    execArgv: ['--conditions=@agent/source'],
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let timer: NodeJS.Timeout | null = null;
  let tried = false;
  child.on('message', (message: Verdict | { readonly begins: number }) => {
    if (timer !== null) clearTimeout(timer);
    if (!('begins' in message)) return round.settle(message.index, message.outcome);
    tried = true;
    if (performance.now() > round.endsAt) return endGroup(child);
    timer = setTimeout(() => {
      round.settle(message.begins, 'stuck');
      endGroup(child);
    }, round.mutantMs);
  });
  const exited = once(child, 'exit');
  child.send(mutants);
  await exited;
  if (timer !== null) clearTimeout(timer);
  if (!tried) throw new Error('The tests could not be started; their output is above.');
}

function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}
