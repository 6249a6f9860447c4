import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { damageFile, derivedFiles } from './disk-damage.ts';
import type { Meant } from './fault.ts';
import type { Saying } from './people.ts';
import { finalComment, killNow, lastLabel, live, push, type Targeted } from './targeted.ts';
import type { TrialBed } from './trial-bed.ts';

const staleOnce = (bed: TrialBed): void =>
  void bed.desk.add({
    meant: { routes: ['comment-list'] },
    effect: { kind: 'stale', youngMs: 60_000 },
    times: 1,
  });

/** Labels, and lists that lag, at the end of a run. */
export const ends: readonly Targeted[] = [
  {
    name: 'relabelAfterKill',
    play: async (bed) => {
      bed.desk.when({ meant: lastLabel, side: 'after', act: killNow(bed) });
      await live(bed);
      bed.people.say();
      bed.people.label();
    },
  },
  {
    name: 'relabelWhileLeftForLater',
    play: async (bed) => {
      bed.desk.add({ meant: lastLabel, effect: { kind: 'status', status: 503, side: 'before' } });
      await live(bed);
      bed.people.say();
      bed.people.label();
    },
  },
  {
    name: 'labelGivenAgainInTheMiddle',
    play: async (bed) => {
      bed.at(3, () => bed.people.label());
      await live(bed);
    },
  },
  {
    name: 'staleListAfterLostAnswer',
    play: async (bed) => {
      bed.desk.add({ meant: finalComment, effect: { kind: 'reset', side: 'after' }, times: 1 });
      bed.desk.when({ meant: finalComment, side: 'after', act: () => staleOnce(bed) });
      await live(bed);
    },
  },
  {
    name: 'staleListAfterKill',
    play: async (bed) => {
      bed.desk.when({ meant: finalComment, side: 'after', act: killNow(bed) });
      await live(bed);
      staleOnce(bed);
      await live(bed);
    },
  },
  ...[false, true].map(
    (isKilled): Targeted => ({
      name: isKilled ? 'ownCommentShiftAfterKill' : 'ownCommentShift',
      play: async (bed) => {
        const said = { author: 'alice', body: 'Said before.' };
        const old = Array.from({ length: 105 }, () => bed.forge.comment(bed.reference, said));
        const secondPage: Meant = { routes: ['comment-list'], path: /[?&]page=2/ };
        bed.desk.when({
          meant: finalComment,
          side: 'after',
          act: () => {
            // So many that the comment that is looked for slips from the second page to the first.
            const behind = bed.forge.thread(bed.reference).comments.length - 80;
            const removed = old.slice(0, behind);
            bed.desk.when({ meant: secondPage, act: () => removed.forEach(bed.forge.deleteComment) });
            return isKilled ? killNow(bed)() : 'drop';
          },
        });
        await live(bed);
      },
    }),
  ),
  {
    name: 'clockBack',
    // The same run receives the edit: a later run would, too.
    bed: { config: { follow_up: { watch: false, on_comment: 'never' } } },
    play: async (bed) => {
      let saying: Saying | undefined;
      bed.at(1, () => {
        saying = bed.people.say();
      });
      bed.at(3, () => {
        bed.turnClock(-4_000);
        if (saying !== undefined) bed.people.edit(saying);
      });
      await live(bed);
    },
    expect: ({ sayings, conversations }) => {
      const word = sayings[0]?.revisions.at(-1)?.word ?? '';
      const told = conversations.some(({ requests }) => requests.at(-1)?.some((text) => text.includes(word)));
      return told ? [] : [`the edit to ${word} was told nobody`];
    },
  },
  {
    name: 'forkMergeRequest',
    bed: { kind: 'fork' },
    play: live,
    expect: ({ thread }) =>
      thread.comments.some(({ author }) => author === 'robot') ? [] : ['nobody was told why nothing happens'],
  },
];

/** What a cut record no longer knows is done again, once it was said that this may be. The damage itself is ours. */
const lostWithARecord = [
  'a record is whole',
  'a step takes effect once',
  'each request goes on from the one before',
] as const;

/** Kills a run in the middle, does something to its directory, and goes on. */
const damaged = (
  name: string,
  harm: (directory: string) => Promise<unknown>,
  more: Partial<Targeted> = {},
): Targeted => ({
  name,
  play: async (bed) => {
    bed.at(2, () => void bed.people.say());
    bed.at(4, () => void killNow(bed)());
    await live(bed);
    for (const uuid of await bed.listOpen()) await harm(join(bed.contexts(), 'running', uuid));
  },
  ...more,
});

const tellsLoss: NonNullable<Targeted['expect']> = ({ thread }) => [
  ...(thread.labels.includes('coding agent done') ? [] : [`the labels are ${thread.labels.join()}`]),
  ...(thread.comments.some(({ author, body }) => author === 'robot' && /record .* was lost/.test(body))
    ? []
    : ['nobody was told that a part of the record is lost']),
];

const tellsDamage: NonNullable<Targeted['expect']> = async (evidence, bed) => [
  ...(await tellsLoss(evidence, bed)),
  ...(evidence.runs.some(({ lines }) => lines.some((line) => line.includes('"fact":"damage"')))
    ? []
    : ['the record says nothing of damage']),
];

const isDone: NonNullable<Targeted['expect']> = ({ thread }) =>
  thread.labels.includes('coding agent done') ? [] : [`the labels are ${thread.labels.join()}`];

/** The end that people were given stands: it is said once, and nobody hears of a record. */
const isLeftAsItEnded: NonNullable<Targeted['expect']> = async (evidence, bed) => [
  ...(await isDone(evidence, bed)),
  ...(evidence.thread.comments.some(({ body }) => body.includes('Task completed'))
    ? []
    : ['the end that was told is told otherwise']),
];

/** Keeps a copy of the runs at work at that request; gives back what puts it in the place of all runs. */
function keepBackup(bed: TrialBed, meant: Meant): () => Promise<void> {
  const backup = join(bed.world.directory, 'backup');
  const running = join(bed.contexts(), 'running');
  bed.desk.when({ meant, act: () => cp(running, backup, { recursive: true }) });
  return async () => {
    for (const uuid of await bed.listRuns('completed'))
      await rm(join(bed.contexts(), 'completed', uuid), { recursive: true });
    await rm(running, { recursive: true });
    await rename(backup, running);
  };
}

/** Files that are damaged, deleted or brought back. */
export const damages: readonly Targeted[] = [
  ...derivedFiles.map((file) =>
    damaged(`deleted:${file}`, (directory) => rm(join(directory, file), { force: true }), { expect: isDone }),
  ),
  ...derivedFiles.map((file) =>
    damaged(`halved:${file}`, (directory) => damageFile(join(directory, file), 'halve'), { expect: isDone }),
  ),
  damaged('flippedBit', (directory) => damageFile(join(directory, 'messages.jsonl'), 'flip'), {
    expect: tellsDamage,
    except: lostWithARecord,
  }),
  damaged('damagedInTheMiddle', (directory) => damageFile(join(directory, 'messages.jsonl'), 'garble'), {
    expect: tellsDamage,
    except: lostWithARecord,
  }),
  {
    name: 'outcomeHalved',
    play: async (bed) => {
      bed.desk.when({ meant: finalComment, act: killNow(bed) });
      await live(bed);
      for (const uuid of await bed.listOpen())
        await damageFile(join(bed.contexts(), 'running', uuid, 'outcome.json'), 'halve');
    },
    expect: isDone,
  },
  {
    name: 'backupRestored',
    play: async (bed) => {
      const restore = keepBackup(bed, push);
      bed.desk.when({ meant: finalComment, act: killNow(bed) });
      await live(bed);
      await restore();
    },
    expect: tellsLoss,
  },
  {
    name: 'backupRestoredAfterTheEnd',
    play: async (bed) => {
      const restore = keepBackup(bed, push);
      await live(bed);
      await restore();
    },
    expect: isLeftAsItEnded,
  },
];
