import type { Plant } from './plant.ts';

/** How a plan is carried out. */
export const plantsInPlans: readonly Plant[] = [
  {
    name: 'an-action-has-no-mark',
    does: 'begins an action without writing down that it does',
    changes: [
      {
        find: "begins: started === null ? [toFact(attempt, { state: 'started', detail: '' })] : [],",
        replace: 'begins: [],',
      },
    ],
    course: 'killedInAction',
    breaks: 'an action is begun before it ends, and ends once',
    test: {
      path: 'packages/runner/src/planning/crash.test.ts',
      name: 'goes on from every line of its journal to the same end',
    },
  },
];
