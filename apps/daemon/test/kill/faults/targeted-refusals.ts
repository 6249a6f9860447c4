import { until } from '../../support/until.ts';
import type { Meant } from './fault.ts';
import type { Route } from './route.ts';
import { finalComment, lastLabel, live, push, type Targeted } from './targeted.ts';
import type { TrialBed } from './trial-bed.ts';

const forgeRoutes: readonly Route[] = [
  'thread',
  'comment-list',
  'comment',
  'comment-write',
  'label',
  'change-request',
  'reaction',
];

/** From the request on that is meant, the forge refuses, until it is lifted. */
function refuseFrom(
  bed: TrialBed,
  at: Meant,
  refused: { readonly status: number; readonly meant: Meant },
): void {
  const { status, meant } = refused;
  bed.desk.when({
    meant: at,
    act: () => void bed.desk.add({ meant, effect: { kind: 'status', status, side: 'before' } }),
  });
}

const refusedAtEnd = (name: string, status: number, meant: Meant): Targeted => ({
  name,
  play: async (bed) => {
    bed.desk.when({
      meant: finalComment,
      act: () => void bed.desk.add({ meant, effect: { kind: 'status', status, side: 'before' } }),
    });
    await live(bed);
  },
});

const refusedFromStep = (name: string, status: number, meant: Meant): Targeted => ({
  name,
  play: async (bed) => {
    bed.at(3, () => void bed.desk.add({ meant, effect: { kind: 'status', status, side: 'before' } }));
    await live(bed);
  },
});

/** What was refused for a while is done when it is allowed again. */
export const refusals: readonly Targeted[] = [
  refusedAtEnd('unauthorizedAtEnd', 401, { routes: forgeRoutes }),
  refusedAtEnd('forbiddenAtEnd', 403, { routes: forgeRoutes, only: 'writes' }),
  refusedAtEnd('notFoundAtEnd', 404, { routes: forgeRoutes }),
  refusedAtEnd('goneAtEnd', 410, { routes: ['comment-write'], only: 'writes' }),
  refusedAtEnd('unprocessableAtEnd', 422, { routes: ['comment-write', 'label'], only: 'writes' }),
  {
    name: 'labelRefusedAtEnd',
    play: async (bed) => {
      bed.desk.add({ meant: lastLabel, effect: { kind: 'status', status: 403, side: 'before' } });
      await live(bed);
    },
  },
  {
    name: 'unauthorizedAtDelivery',
    play: async (bed) => {
      refuseFrom(bed, push, { status: 401, meant: { routes: [...forgeRoutes, 'git'] } });
      await live(bed);
    },
  },
  refusedFromStep('lockedInTheMiddle', 403, { routes: ['comment-write', 'reaction'], only: 'writes' }),
  refusedFromStep('archivedInTheMiddle', 403, { routes: [...forgeRoutes, 'git'], only: 'writes' }),
  refusedFromStep('transferredInTheMiddle', 404, { routes: forgeRoutes }),
  {
    name: 'unauthorizedAtBegin',
    bed: { speed: 10 },
    play: async (bed) => {
      const meant: Meant = { routes: forgeRoutes };
      bed.desk.add({ meant, effect: { kind: 'status', status: 401, side: 'before' }, forMs: 1_000 });
      const life = bed.start();
      await until(
        'a final comment without another start',
        () => bed.forge.thread(bed.reference).comments.some(({ body }) => body.includes(':final')),
        { timeoutMs: 15_000 },
      );
      await life.stop();
    },
  },
  {
    name: 'gitForbidden',
    play: async (bed) => {
      bed.desk.add({
        meant: { routes: ['git'] },
        effect: { kind: 'status', status: 403, side: 'before' },
        times: 3,
      });
      await live(bed);
    },
    expect: ({ thread }) =>
      thread.labels.includes('coding agent done') ? [] : [`the labels are ${thread.labels.join()}`],
  },
];
