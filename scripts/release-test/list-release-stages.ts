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
    trial(
      'kill',
      'trials of harm to the daemon, two of each class, and to the bot',
      'apps/daemon/test/kill',
      ['18'],
    ),
    trial('follow-up', 'change requests that runs stay with', 'packages/orchestrator/test/follow-up/trial', [
      '10',
    ]),
    trial('money', 'runs that share limits of money', 'packages/orchestrator/test/money', ['20']),
    trial('agents', 'kills of agents that work on runs', 'packages/runner/test/agents', ['10']),
    trial('cluster', 'processes that share a database', 'apps/daemon/test/cluster', ['25']),
    trial('drill', 'harms that every view of the service has to name', 'apps/daemon/test/drill', []),
    trial(
      'incidents',
      'public incidents, with a model that follows every order',
      'apps/daemon/test/incidents',
      [],
    ),
    {
      name: 'model-matrix',
      title: 'answers of model servers, on the real daemon and the real bot',
      command: matrix.length === 0 ? null : ['vitest', 'run', ...matrix],
      environment: { TEST_FULL: '1' },
    },
    ...['smollm2', 'gemma3'].map((model) =>
      trial(`model-${model}`, `daemon and bot with the real model ${model}`, 'trials/src/real-model', [
        ...['--model', model, '--seeds', '1'],
      ]),
    ),
  ];
}

function trial(name: string, title: string, folder: string, args: readonly string[]): ReleaseStage {
  return { name, title, command: ['node', '--conditions=@agent/source', `${folder}/main.ts`, ...args] };
}
