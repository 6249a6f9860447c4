import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import type { DaemonLife } from './daemon-life.ts';
import type { Targeted } from './targeted.ts';
import type { TrialBed } from './trial-bed.ts';

const once: NonNullable<Targeted['expect']> = ({ effects }) =>
  new Set(effects).size === effects.length ? [] : [`steps were taken twice: ${effects.join()}`];

async function deleteLocks(bed: TrialBed): Promise<void> {
  const names = (await readdir(bed.contexts())).filter((name) => /lock|owner/.test(name));
  await Promise.all(names.map((name) => rm(join(bed.contexts(), name), { recursive: true })));
  bed.start();
}

/** Two at work write twice what is written once; a loser's run has failed, as far as it knows. */
const oneWrote: NonNullable<Targeted['expect']> = async (evidence, bed) => {
  const pushes = bed.desk.seen.filter(
    ({ path, status }) => path.endsWith('/git-receive-pack') && status === 200,
  );
  const failures = bed.desk.seen.filter(
    ({ route, body }) => route === 'comment-write' && body.includes('Task failed'),
  );
  const owners = new Set(
    evidence.runs.flatMap(({ lines }) => lines.flatMap((line) => /"owner":(\d+)/.exec(line)?.[1] ?? [])),
  );
  return [
    ...(await once(evidence, bed)),
    ...(owners.size > 1 ? [] : ['nobody took the place of the owner that was frozen']),
    ...(pushes.length > 1 ? [`the branch was pushed ${pushes.length} times`] : []),
    ...(failures.length > 0 ? ['the loser wrote on the forge that the task failed'] : []),
  ];
};

/** Whoever comes second to an owner that lives is told so, and works on nothing. */
async function findUnrefused({ lives: [, second] }: TrialBed): Promise<readonly string[]> {
  const output = second === undefined ? '' : (await second.exited).output;
  return output.includes('is held by') ? [] : ['the second owner of the directory was not refused'];
}

/** An owner is frozen while the model answers, is silent for long, and wakes when another has taken its place. */
function frozen(
  name: string,
  then: (bed: TrialBed, heir: DaemonLife) => Promise<unknown>,
  apart = false,
): Targeted {
  return {
    name,
    apart,
    bed: { steps: 8, config: { poll_interval_seconds: 60 } },
    play: async (bed) => {
      let heir: DaemonLife | null = null;
      const replace = async (): Promise<void> => {
        await owner.freeze();
        const past = new Date(Date.now() - 70_000);
        await utimes(join(bed.contexts(), 'lock.json'), past, past);
        heir = bed.start({ apart });
      };
      // The answer waits until it is frozen.
      bed.desk.when({ meant: { routes: ['model'] }, nth: 3, act: replace });
      bed.at(5, () => void owner.wake());
      const owner = bed.start({ apart });
      await until('somebody takes its place', () => heir !== null);
      if (heir !== null) await then(bed, heir);
      await owner.wake();
      await Promise.all(bed.lives.map(({ stop }) => stop()));
    },
    expect: oneWrote,
  };
}

/** Two owners, and what a loser writes. */
export const owners: readonly Targeted[] = [
  {
    name: 'twoDirectories',
    bed: { config: { poll_interval_seconds: 60 } },
    places: ['first', 'second'],
    play: async (bed) => {
      bed.desk.add({ meant: { routes: ['label', 'comment-write'] }, effect: { kind: 'slow', ms: 700 } });
      const lives = [bed.start(), bed.start({ at: 'second' })];
      await bed.ended(30_000);
      await Promise.all(lives.map(({ stop }) => stop()));
    },
    expect: ({ effects, conversations }) => [
      ...(conversations.length === 1 ? [] : [`${conversations.length} runs asked the model`]),
      ...(new Set(effects).size === effects.length ? [] : [`steps were taken twice: ${effects.join()}`]),
    ],
  },
  {
    name: 'sameHostTwoPidNamespaces',
    apart: true,
    bed: { steps: 8, config: { poll_interval_seconds: 60 } },
    play: async (bed) => {
      bed.at(3, () => void bed.start({ apart: true }));
      bed.start({ apart: true });
      await bed.ended(30_000);
      await Promise.all(bed.lives.map(({ stop }) => stop()));
    },
    expect: async (evidence, bed) => [...(await once(evidence, bed)), ...(await findUnrefused(bed))],
  },
  {
    name: 'lockFilesDeleted',
    bed: { steps: 8, config: { poll_interval_seconds: 60 } },
    play: async (bed) => {
      bed.at(3, () => void deleteLocks(bed));
      bed.start();
      await bed.ended(30_000);
      await Promise.all(bed.lives.map(({ stop }) => stop()));
    },
    expect: once,
  },
  frozen('zombieWakes', (bed) => bed.ended(30_000)),
  frozen('zombieOtherHost', (bed) => bed.ended(30_000), true),
  frozen('zombieThenKill', async (bed, heir) => {
    bed.at(6, () => void heir.kill());
    await heir.exited;
  }),
];
