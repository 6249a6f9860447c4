import type { Saying } from './people.ts';
import { finalComment, killNow, live, type Targeted } from './targeted.ts';

/** Said after the agent's last look before its answer: told to whoever comes next, or named in a report. */
export const windows: readonly Targeted[] = [
  {
    name: 'editAfterFinal',
    play: async (bed) => {
      let saying: Saying | undefined;
      bed.desk.when({
        meant: finalComment,
        act: () => {
          saying = bed.people.say();
        },
      });
      bed.desk.when({ meant: finalComment, side: 'after', act: killNow(bed) });
      await live(bed);
      if (saying !== undefined) bed.people.edit(saying);
    },
  },
  {
    name: 'lastLookFails',
    play: async (bed) => {
      bed.desk.when({ meant: finalComment, act: () => void bed.people.say() });
      bed.desk.when({
        meant: finalComment,
        side: 'after',
        act: () =>
          void bed.desk.add({
            meant: { routes: ['comment-list'] },
            effect: { kind: 'status', status: 502, side: 'before' },
            times: 8,
          }),
      });
      await live(bed);
    },
  },
  {
    name: 'manyInWindow',
    play: async (bed) => {
      bed.desk.when({
        meant: finalComment,
        act: () => {
          for (let count = 0; count < 80; count += 1) bed.people.say();
        },
      });
      await live(bed);
    },
    expect: ({ sayings, conversations }) => {
      const told = conversations.flatMap(({ requests }) => requests.at(-1) ?? []).join('\n');
      const words = sayings.map(({ revisions }) => revisions.at(-1)?.word ?? '');
      return words.filter((word) => !told.includes(word)).map((word) => `${word} was told nobody`);
    },
  },
  {
    name: 'manyBeforeFirstLine',
    play: async (bed) => {
      bed.desk.when({
        meant: { routes: ['git'] },
        act: async () => {
          for (let count = 0; count < 15; count += 1) bed.people.say();
          return killNow(bed)();
        },
      });
      await live(bed);
    },
  },
  {
    name: 'saidBeforeFailure',
    play: async (bed) => {
      bed.at(
        3,
        () =>
          void bed.desk.add({
            meant: { routes: ['model'] },
            effect: { kind: 'status', status: 400, side: 'before' },
          }),
      );
      bed.desk.when({ meant: finalComment, act: () => void bed.people.say() });
      await live(bed);
    },
  },
  {
    name: 'strangerInWindow',
    play: async (bed) => {
      bed.desk.when({ meant: finalComment, act: () => void bed.people.say({ by: 'bob' }) });
      await live(bed);
    },
  },
];
