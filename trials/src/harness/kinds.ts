import type { TrialKind } from '@agent/simulators/trials';

/** Where a kind of trial is, and its line in the usage text. */
interface KindPlace {
  readonly title: string;
  /** Module beside the code under test, from the root of the repository. Its export `trials` is the kind. */
  readonly module: string;
}

/** Every kind by its name. The modules are tests of their packages, so they are loaded by their paths. */
export const kinds: Readonly<Record<string, KindPlace>> = {
  kill: { title: 'harm to the daemon', module: 'apps/daemon/test/kill/trials.ts' },
  cluster: { title: 'processes that share a database', module: 'apps/daemon/test/cluster/trials.ts' },
  money: {
    title: 'runs that spend money from shared limits',
    module: 'packages/orchestrator/test/money/trials.ts',
  },
  agents: { title: 'kills of agents that work on runs', module: 'packages/runner/test/agents/trials.ts' },
  'follow-up': {
    title: 'runs that follow the change request they opened',
    module: 'packages/orchestrator/test/follow-up/trial/trials.ts',
  },
  discord: {
    title: 'harm to the Discord bot while people talk',
    module: 'apps/discord/test/kill/trials.ts',
  },
  incidents: {
    title: 'public incidents, with a model that follows every order',
    module: 'apps/daemon/test/incidents/trials.ts',
  },
  model: {
    title: 'daemon and Discord bot with a small real model',
    module: 'trials/src/real-model/trials.ts',
  },
};

/** A kind whose trials are passed on without a look at them. */
export type AnyTrialKind = TrialKind<unknown>;

/** Loads the kind of that name. */
export async function loadKind(name: string): Promise<AnyTrialKind> {
  const place = kinds[name];
  if (place === undefined) throw new Error(`there is no kind of trial "${name}"`);
  const { trials } = (await import(new URL(`../../../${place.module}`, import.meta.url).href)) as {
    readonly trials: AnyTrialKind;
  };
  return trials;
}
