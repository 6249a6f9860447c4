import { watch } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Evidence } from './evidence.ts';
import type { Fault, Meant } from './fault.ts';
import type { Saying } from './people.ts';
import { killNow, live, push, type Targeted } from './targeted.ts';
import type { TrialBed } from './trial-bed.ts';

const noPermission: Fault = {
  meant: { routes: ['permission'] },
  effect: { kind: 'status', status: 503, side: 'before' },
};
const told = ({ conversations }: Evidence): string =>
  conversations.flatMap(({ requests }) => requests.at(-1) ?? []).join('\n');
const wants = (word: string, evidence: Evidence): readonly string[] =>
  told(evidence).includes(word) ? [] : [`${word} was told nobody`];

const isDone: NonNullable<Targeted['expect']> = ({ thread }) =>
  thread.labels.includes('coding agent done') ? [] : [`the labels are ${thread.labels.join()}`];

/** Takes one comment out of every list, until it is lifted. */
function hide(bed: TrialBed, id: string): () => void {
  const rewrite = (body: string): string => {
    const list: unknown = JSON.parse(body === '' ? 'null' : body);
    return Array.isArray(list)
      ? JSON.stringify(list.filter((one) => String((one as { id: unknown }).id) !== id))
      : body;
  };
  return bed.desk.add({ meant: { routes: ['comment-list'] }, effect: { kind: 'rewritten', rewrite } });
}

/** What is said reaches the model, as what it is, and commands are obeyed. */
export const hearings: readonly Targeted[] = [
  {
    name: 'stopForgotten',
    bed: { steps: 8 },
    play: async (bed) => {
      bed.at(2, () => {
        bed.desk.add(noPermission);
        bed.people.command('stop');
      });
      bed.at(5, () => void killNow(bed)());
      await live(bed);
      bed.desk.liftAll();
    },
  },
  {
    name: 'stopForgottenInProcess',
    bed: { steps: 8 },
    play: async (bed) => {
      bed.at(2, () => {
        bed.desk.add({ ...noPermission, forMs: 1_500 });
        bed.people.command('stop');
      });
      bed.at(
        4,
        () =>
          void bed.desk.add({
            meant: { routes: ['model'] },
            effect: { kind: 'status', status: 503, side: 'before' },
            times: 4,
          }),
      );
      await live(bed);
    },
  },
  {
    name: 'trustedAsStranger',
    bed: { steps: 8 },
    play: async (bed) => {
      let lift = () => {};
      bed.at(2, () => {
        lift = bed.desk.add(noPermission);
        bed.people.say();
      });
      bed.at(5, () => lift());
      await live(bed);
    },
  },
  {
    name: 'lastLookWithoutPermission',
    play: async (bed) => {
      bed.desk.when({
        meant: push,
        act: () => {
          bed.desk.add(noPermission);
          bed.people.say();
        },
      });
      await live(bed);
    },
  },
  {
    name: 'pauseHeardTwice',
    bed: { steps: 8 },
    play: async (bed) => {
      const controls = join(bed.contexts(), 'control');
      await mkdir(controls, { recursive: true });
      // Between the request to pause and all that follows from it.
      const watcher = watch(controls, (_, name) => {
        if (name?.endsWith('.pause') === true) void killNow(bed)();
      });
      bed.at(2, () => void bed.people.command('pause'));
      await live(bed);
      watcher.close();
      await live(bed);
      await bed.resumeAll();
    },
    expect: isDone,
  },
  {
    name: 'toldToNobody',
    play: async (bed) => {
      bed.at(2, () => {
        bed.people.say();
        bed.people.command('stop');
      });
      await live(bed);
    },
  },
  {
    name: 'toldInARefusedRequest',
    play: async (bed) => {
      bed.at(2, () => {
        const { revisions } = bed.people.say();
        const meant: Meant = { routes: ['model'], body: new RegExp(revisions[0]?.word ?? '') };
        bed.desk.add({ meant, effect: { kind: 'status', status: 400, side: 'before' } });
      });
      await live(bed);
    },
  },
  {
    name: 'threeDeathsNameWhatCame',
    play: async (bed) => {
      const meant = { routes: ['model'] } as const;
      for (let death = 0; death < 3; death += 1) {
        bed.desk.when({
          meant,
          act: async () => {
            bed.people.say();
            return killNow(bed)();
          },
        });
        await live(bed);
      }
    },
  },
  {
    name: 'pauseEndsARowOfDeaths',
    play: async (bed) => {
      const die = async (): Promise<void> => {
        bed.desk.when({ meant: { routes: ['model'] }, act: killNow(bed) });
        await live(bed);
      };
      await die();
      // Before the model is asked again: a step that was completed would end the row as well.
      for (const uuid of await bed.listOpen()) await bed.command(['pause', uuid]);
      await live(bed);
      if ((await bed.listRuns('paused')).length !== 1) throw new Error('the run was not paused');
      await bed.resumeAll();
      await die();
      await die();
    },
    expect: isDone,
  },
  {
    name: 'twoListingsWithAHole',
    bed: { steps: 8 },
    play: async (bed) => {
      let saying: Saying | undefined;
      let show = () => {};
      bed.at(1, () => {
        saying = bed.people.say();
        const { id } = bed.people.say();
        // The other one is out of sight as well when the whole thread is listed before the end.
        bed.at(3, () => {
          const showOther = hide(bed, id);
          bed.desk.when({ meant: push, act: showOther });
        });
      });
      bed.at(3, () => {
        show = hide(bed, saying?.id ?? '');
      });
      bed.at(6, () => {
        show();
        if (saying !== undefined) bed.people.edit(saying);
      });
      await live(bed);
    },
  },
  {
    name: 'deletionAfterKill',
    play: async (bed) => {
      let saying: Saying | undefined;
      bed.at(1, () => {
        saying = bed.people.say();
      });
      bed.at(4, () => void killNow(bed)());
      await live(bed);
      for (const uuid of await bed.listOpen()) {
        await rm(join(bed.contexts(), 'running', uuid, 'comment_detection_state.json'), { force: true });
      }
      if (saying !== undefined) bed.people.remove(saying);
    },
  },
  {
    name: 'deletionWithoutWords',
    play: async (bed) => {
      let saying: Saying | undefined;
      bed.at(1, () => {
        saying = bed.people.say();
      });
      bed.at(2, () => {
        if (saying !== undefined) bed.people.edit(saying);
      });
      bed.at(4, () => void killNow(bed)());
      await live(bed);
      if (saying !== undefined) bed.people.remove(saying);
    },
  },
  {
    name: 'backdatedOnLongThread',
    play: async (bed) => {
      for (let count = 0; count < 1_010; count += 1) {
        bed.forge.comment(bed.reference, { author: 'alice', body: 'Said before.' });
      }
      bed.at(2, () => {
        bed.turnClock(-600_000);
        bed.people.say();
        bed.turnClock(600_000);
      });
      await live(bed);
    },
  },
  {
    name: 'longComments',
    play: async (bed) => {
      bed.at(2, () => {
        for (let count = 0; count < 5; count += 1)
          bed.people.say({ text: (word) => `${word} ${'Long words. '.repeat(5_000)}` });
      });
      await live(bed);
    },
  },
  {
    name: 'issueBodyEdited',
    play: async (bed) => {
      bed.at(2, () =>
        bed.forge.editThread(bed.reference, {
          body: 'It forgets the quantity and the papayaword.',
          by: 'alice',
        }),
      );
      await live(bed);
    },
    expect: (evidence) => wants('papayaword', evidence),
  },
];
