import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import type { Evidence } from './evidence.ts';
import type { Meant } from './fault.ts';
import { agentLabel } from './people.ts';
import { killNow, type Targeted } from './targeted.ts';
import type { StartOptions, TrialBed } from './trial-bed.ts';

const isDone: NonNullable<Targeted['expect']> = ({ thread }) =>
  thread.labels.includes('coding agent done') ? [] : [`the labels are ${thread.labels.join()}`];

/** A disk that somebody fills and frees. */
function createDisk(bed: TrialBed) {
  const full = join(bed.world.directory, 'disk-is-full');
  const preloads = [new URL('./full-disk-preload.ts', import.meta.url).href];
  const environment = { FULL_DISK: JSON.stringify({ below: bed.contexts(), while: full }) };
  return {
    begin: (options: StartOptions) => bed.start({ ...options, preloads, environment }),
    fill: () => writeFile(full, ''),
    free: () => rm(full, { force: true }),
  };
}

/** Nobody is told of an end that is not written down. */
function findEarlyEnds(bed: TrialBed): readonly string[] {
  const told = bed.desk.seen.filter(
    ({ route, body }) => route === 'comment-write' && body.includes('Task failed'),
  );
  return told.length === 0 ? [] : ['people read that it failed'];
}

/** The last request of a run, before its end is written: the one for its summary. */
const summaryRequest: Meant = { routes: ['model'], body: /^(?!.*"tools")/s };

const untilDone = (bed: TrialBed, what: string) =>
  until(what, () => bed.forge.thread(bed.reference).labels.includes('coding agent done'), {
    timeoutMs: 60_000,
  });

const unknownEffect = 'its effect is unknown';

/** Says of how many calls the model was told, in its last request, that nobody knows what became of them. */
function countUnknown(bed: TrialBed): number {
  const last = bed.desk.seen.findLast(
    ({ route, body, status }) => route === 'model' && status === 200 && body.includes('"tools"'),
  );
  return (last?.body ?? '').split(unknownEffect).length - 1;
}

const tookAllSteps =
  (steps: number) =>
  ({ effects }: Evidence): readonly string[] =>
    new Set(effects).size === steps ? [] : [`${new Set(effects).size} of ${steps} steps took effect`];

/** What becomes of work when its machine has no room, or ends in the middle of many calls. */
export const machines: readonly Targeted[] = [
  {
    name: 'diskFull',
    play: async (bed) => {
      const disk = createDisk(bed);
      bed.at(3, () => void disk.fill());
      const life = disk.begin({});
      await life.process.printed(/deferred run: disk is full/);
      await disk.free();
      await untilDone(bed, 'the same process finishes the run');
      await life.stop();
    },
    expect: async (evidence, bed) => [...(await isDone(evidence, bed)), ...findEarlyEnds(bed)],
  },
  {
    name: 'diskFullRestarted',
    play: async (bed) => {
      const disk = createDisk(bed);
      bed.at(3, () => void disk.fill());
      await disk.begin({ once: true }).exited;
      await disk.free();
    },
    expect: async (evidence, bed) => [...(await isDone(evidence, bed)), ...findEarlyEnds(bed)],
  },
  {
    name: 'diskFullAtEnd',
    play: async (bed) => {
      const disk = createDisk(bed);
      bed.desk.when({ meant: summaryRequest, act: () => void disk.fill() });
      await disk.begin({ once: true }).exited;
      const isEnd = ({ route, body }: { readonly route: string; readonly body: string }) =>
        route === 'comment-write' && body.includes(':final');
      if (bed.desk.seen.some(isEnd)) throw new Error('the thread shows an end that is not recorded');
      await disk.free();
    },
    expect: isDone,
  },
  {
    name: 'diskFullRelabelled',
    bed: { speed: 10 },
    play: async (bed) => {
      const disk = createDisk(bed);
      bed.desk.when({ meant: summaryRequest, act: () => void disk.fill() });
      const life = disk.begin({});
      await life.process.printed(/failed to record run result/);
      bed.people.say();
      bed.people.label();
      await disk.free();
      await untilDone(bed, 'the new request is met by the same process');
      await life.stop();
    },
  },
  {
    name: 'knownAnswersCalledUnknown',
    bed: { steps: 20, callsAtOnce: 20 },
    play: async (bed) => {
      const life = bed.start({ once: true });
      await until('some steps took effect', async () => (await bed.readEffects()).length >= 3);
      await killNow(bed)();
      await life.exited;
    },
    expect: (evidence, bed) => {
      const unknown = countUnknown(bed);
      return [
        ...tookAllSteps(20)(evidence),
        ...(unknown > 1 ? [`${unknown} calls are told as unknown; one had begun`] : []),
      ];
    },
  },
  {
    name: 'forkPrivateThenOther',
    bed: { kind: 'fork', config: { poll_interval_seconds: 60 } },
    // Of the other thread's run, it stands there.
    except: ['a run has one final comment'],
    play: async (bed) => {
      const isTold = () => bed.forge.thread(bed.reference).comments.some(({ author }) => author === 'robot');
      const life = bed.start();
      await until('somebody is told why nothing happens', isTold, { timeoutMs: 60_000 });
      const seed = { title: 'Another one', body: 'The sum is wrong, too.', labels: [agentLabel] };
      const other = bed.forge.openIssue(seed).reference;
      const isOtherDone = () => bed.forge.thread(other).labels.includes('coding agent done');
      await until('the other thread is worked on', isOtherDone, { timeoutMs: 60_000 });
      await life.stop();
    },
  },
];
