// @module-tag release
import { describe, it } from 'vitest';
import {
  type Failure,
  type FaultCell,
  type FaultStory,
  failIn,
  listCells,
  playCell,
  simulatorOf,
} from '../support/fault-cells.ts';
import type { GitHubForge } from '../support/github-forge.ts';
import type { GitLabForge } from '../support/gitlab-forge.ts';
import { sampleOf } from '../support/samples.ts';
import { repository } from '../support/world.ts';

/** Fault of all readings of a run, while the answer to one of its writes is lost. */
interface Reading {
  /** Befalls every request for a list or a thread. */
  readonly failure?: Failure;
  /** Creates the clock of the platform. Default: the real one. */
  readonly openClock?: () => () => number;
  /** Path of the repository from that write on. */
  readonly movesTo?: string;
}

const dayAndTwoHoursMs = 26 * 3_600_000;

const readings: Readonly<Record<string, Reading>> = {
  // A minute of a daemon whose waits are a hundred times shorter.
  'lists that lag 60 s': { failure: { kind: 'lag', delayMs: 600 } },
  'a proxy that drops headers': { failure: { kind: 'headers-dropped' } },
  // A link to another host is an error: the run waits for the proxy to be set up.
  'a proxy that changes headers for 10 minutes': { failure: { kind: 'headers-rewritten', forMs: 6_000 } },
  'times of the same second': {
    openClock: () => {
      const at = Date.now();
      return () => at;
    },
  },
  'a clock 26 h ahead': { openClock: () => () => Date.now() + dayAndTwoHoursMs },
  'a clock 26 h behind': { openClock: () => () => Date.now() - dayAndTwoHoursMs },
  // https://docs.github.com/en/repositories/creating-and-managing-repositories/renaming-a-repository
  // https://docs.gitlab.com/api/rest/#redirects
  'a repository with another name': { movesTo: 'acme/renamed' },
};

/** More comments than a page has. */
const crowd = 101;

async function prepare({ world: { forge } }: FaultStory, { fault }: FaultCell<Reading>): Promise<void> {
  if (fault.failure === undefined) return;
  for (let count = 0; count < crowd; count += 1)
    forge.comment('#1', { author: 'bob', body: `This happens here as well (${count}).` });
  simulatorOf(forge).fail({ method: 'GET', times: 'always', ...fault.failure } as never);
}

async function meet({ world }: FaultStory, { write, fault: { movesTo } }: FaultCell<Reading>): Promise<void> {
  failIn(world, { write, fault: { kind: 'reset-after-effect' } });
  if (movesTo === undefined) return;
  const { forge } = world;
  if (forge.name === 'github') await (forge as GitHubForge).simulator.moveRepository(repository, movesTo);
  else (forge as GitLabForge).simulator.moveProject(repository, movesTo);
}

describe('a run', () => {
  it.for(sampleOf(listCells({ github: readings, gitlab: readings }), ({ forge }) => forge === 'gitlab'))(
    'on $forge with $row whose answer is lost at $name continues, and ends with everything once',
    { timeout: 240_000, concurrent: true },
    async (cell, { onTestFinished }) => {
      await playCell(cell, {
        now: cell.fault.openClock?.(),
        prepare: (story) => prepare(story, cell),
        meet: (story) => meet(story, cell),
        onTestFinished,
      });
    },
  );
});
