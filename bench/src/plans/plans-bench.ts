import { readPlan } from '@agent/runner/planning';
import type { Bench } from '../report.ts';
import { measurePlan } from './measure-plan.ts';
import { type ReadPlan, toPlansReport } from './plans-report.ts';

const rounds = 5;

/** What the tests of the runner offer: broken plans, and the tools that they may name. */
interface Corpus {
  readonly brokenPlans: readonly {
    readonly name: string;
    readonly text: string;
    readonly expected: string;
  }[];
  readonly planTools: readonly string[];
}

/** What becomes of plans that are broken, how long it takes to find out, and what a plan costs. */
export const plansBench: Bench = {
  name: 'plans',
  fromSources: true,
  run: async () => {
    const { brokenPlans, planTools } = await loadCorpus();
    const cost = await measurePlan(await loadSetup());
    const rules = { tools: planTools, maxSubtasks: 100 };
    return toPlansReport(
      brokenPlans.map(({ name, text, expected }) => ({
        name,
        group: expected,
        ...measure(() => readPlan(text, rules).kind),
      })),
      cost,
    );
  },
};

const load = (path: string) => import(new URL(`../../../packages/runner/test/${path}`, import.meta.url).href);

async function loadSetup(): Promise<Parameters<typeof measurePlan>[0]> {
  const paths = ['plan-answers.ts', 'plan-setup.ts', 'run-setup.ts'];
  return Object.assign({}, ...(await Promise.all(paths.map(load))));
}

async function loadCorpus(): Promise<Corpus> {
  return { ...(await load('broken-plans/index.ts')), ...(await load('sample-plan.ts')) };
}

function measure(read: () => ReadPlan['kind']): Pick<ReadPlan, 'kind' | 'ms'> {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    const kind = readTyped(read);
    return { kind, ms: performance.now() - start };
  });
  return { kind: times[0]?.kind ?? 'thrown', ms: Math.min(...times.map(({ ms }) => ms)) };
}

function readTyped(read: () => ReadPlan['kind']): ReadPlan['kind'] {
  try {
    return read();
  } catch {
    return 'thrown';
  }
}
