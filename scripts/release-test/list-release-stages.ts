import { globSync } from 'node:fs';
import { listReleaseFiles } from '../test/tagged-files.ts';
import { repositoryRoot } from '../workspace/root.ts';

/** A stage of `npm run test:release`. */
export interface ReleaseStage {
  readonly name: string;
  readonly title: string;
  /** Null if what it runs does not exist yet. */
  readonly command: readonly [string, ...string[]] | null;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Tests of the model matrix against the real daemon and the real bot. */
const matrixFiles = '{packages,apps}/*/test/**/*conformance*{,/**/*}.test.ts';

/** Lists the stages in their order, each at its smallest sensible size. */
export function listReleaseStages(root: string = repositoryRoot): readonly ReleaseStage[] {
  const matrix = globSync(matrixFiles, { cwd: root }).sort();
  return [
    {
      name: 'long-tests',
      title: 'tests that take too long for a change, with their largest samples',
      command: ['vitest', 'run', ...listReleaseFiles(root)],
      environment: { TEST_FULL: '1', TEST_RELEASE: '1' },
    },
    {
      name: 'postgres',
      title: 'all stories of the daemon with their runs in PostgreSQL',
      command: ['vitest', 'run', '--config', 'vitest.postgres.config.ts'],
      environment: { TEST_FULL: '1', TEST_RELEASE: '1' },
    },
    {
      name: 'release',
      title: 'packages from a registry of this machine, as users install them',
      command: ['node', 'scripts/release/rehearse.ts'],
    },
    {
      name: 'release-scope',
      title: 'the same with another npm scope',
      command: ['node', 'scripts/release/rehearse.ts', '--scope', '@second-scope'],
    },
    trial('kill', 'harm to the daemon, one trial of each class', ['16']),
    trial('kill-bugs', 'bugs seeded into the daemon', ['--plants'], 'kill'),
    trial('discord', 'harm to the Discord bot', ['7']),
    trial('discord-bugs', 'bugs seeded into the Discord bot', ['--plants'], 'discord'),
    trial('follow-up', 'change requests that runs follow', ['10']),
    trial('money', 'runs that share limits of money', ['20']),
    trial('agents', 'kills of agents that work on runs', ['10']),
    trial('cluster', 'processes that share a database', ['25']),
    trial('cluster-bugs', 'bugs seeded into processes that share a database', ['--plants'], 'cluster'),
    {
      name: 'drill',
      title: 'harms that every view of the service has to name',
      command: ['node', '--conditions=@agent/source', 'apps/daemon/test/drill/main.ts'],
    },
    trial('incidents', 'public incidents, with a model that follows every order', []),
    {
      name: 'model-matrix',
      title: 'answers of model servers, on the real daemon and the real bot',
      command: matrix.length === 0 ? null : ['vitest', 'run', ...matrix],
      environment: { TEST_FULL: '1' },
    },
    ...['smollm2', 'gemma3'].map((model) =>
      trial(
        `model-${model}`,
        `daemon and bot with the real model ${model}`,
        ['2', '--model', model, '--seed', '0'],
        'model',
      ),
    ),
  ];
}

/** A stage that plays trials; its name is the kind unless the kind is given. */
function trial(name: string, title: string, args: readonly string[], kind: string = name): ReleaseStage {
  return {
    name,
    title,
    command: ['node', '--conditions=@agent/source', 'trials/src/main.ts', kind, ...args],
  };
}
