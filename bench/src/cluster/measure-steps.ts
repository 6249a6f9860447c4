import { followSteps, type Script } from '@agent/simulators/model';
import type { BenchServer } from './bench-server.ts';
import { untilDone } from './measure-workers.ts';
import { startCluster } from './start-cluster.ts';

/** What the steps of a run do: read a file, or change one, so that its state is kept for other hosts. */
export type StepKind = 'read' | 'change';

export interface StepCosts {
  readonly kind: StepKind;
  /** Statements that a further step adds to a run. */
  readonly statements: number;
}

const [few, many] = [2, 42] as const;

/** What a further step costs: the difference between a long run and a short one, shared among its steps. */
export async function measureSteps(server: BenchServer, kind: StepKind): Promise<StepCosts> {
  const short = await countStatements(server, toScript(kind, few));
  const long = await countStatements(server, toScript(kind, many));
  return { kind, statements: (long - short) / (many - few) };
}

/** Statements of a whole run, of one process that works and one that looks. */
async function countStatements(server: BenchServer, script: Script): Promise<number> {
  const cluster = await startCluster(server, { workers: 1, script, pollIntervalSeconds: 2 });
  try {
    await cluster.areReady();
    const issue = cluster.world.openIssue('Steps');
    const before = await cluster.readUse();
    await untilDone(cluster, [issue]);
    const after = await cluster.readUse();
    return after.statements - before.statements;
  } finally {
    await cluster.close();
  }
}

function toScript(kind: StepKind, steps: number): Script {
  const toCall = (index: number) =>
    kind === 'read'
      ? // Never the same call twice: a run whose model repeats itself is ended.
        { name: 'read_file', input: { path: 'total.js', limit: 100 + index } }
      : { name: 'write_file', input: { path: 'notes.txt', content: `Step ${index}\n` } };
  const toStep = (index: number) => ({ toolCalls: [toCall(index)] });
  const further = Array.from({ length: steps - 1 }, (_, index) => toStep(index + 2));
  return followSteps([toStep(1), ...further, { text: 'That is all.' }]);
}
