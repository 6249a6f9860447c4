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
  {
    name: 'an-approval-is-not-asked-about-again',
    does: 'goes by an approval whatever became of it and of what was asked for',
    changes: [
      {
        find: 'if (started === null && !(await isStillApproved(planned))) return null;',
        replace: '',
      },
    ],
    course: 'approvalVoided',
    breaks: { says: 'the approval of another request was taken' },
    test: {
      path: 'packages/runner/src/planning/phases/approve.test.ts',
      name: 'waits again where the request was changed',
    },
  },
];
