import type { Plant } from './plant.ts';

const doublesStay = {
  find: 'if (!(await isRemoved(thread, comment.id, { signal }))) stay.push(comment);',
  replace: 'stay.push(comment);',
};

/** How a run ends, and what stands on the thread then. */
export const plantsAtTheEnd: readonly Plant[] = [
  {
    name: 'refusal-is-final',
    does: 'gives up the final comment when the forge answers 403',
    changes: [
      {
        find: 'if (by === null) return { entry, error: deletion ?? error };',
        replace: "if (by === null) return giveUp(run, entry, { by: 'nobody', reason: '' }).then(() => null);",
      },
    ],
    course: 'forbiddenAtEnd',
    breaks: 'a run has one final comment',
    test: {
      path: 'packages/orchestrator/src/outbox/settle-run.test.ts',
      name: 'an entry that fails stays open',
    },
  },
  {
    name: 'label-is-taken-whoever-set-it',
    does: 'takes the waiting label away at the end, also one that a person set since',
    changes: [
      {
        find: 'const answers = takes === null || own === null ? undefined : { at: takes, own };',
        replace: 'const answers = undefined;',
      },
    ],
    course: 'labelGivenAgainInTheMiddle',
    breaks: 'a label that a person gave leads to a run, or stays',
    test: {
      path: 'packages/orchestrator/test/requests-of-people.test.ts',
      name: 'given while its run is at work begins another one',
    },
  },
  {
    name: 'last-look-forgets',
    does: 'keeps none of the comments that came before the final one and that no answer takes up',
    changes: [{ find: 'await unanswered.add(named, ids);', replace: '' }],
    course: 'manyInWindow',
    breaks: { says: 'was told nobody' },
    test: {
      path: 'packages/orchestrator/src/outbox/last-look.test.ts',
      name: 'what somebody who may steer said before the final comment is kept for the next run',
    },
  },
  {
    name: 'last-look-fails-and-passes',
    does: 'takes a last look that could not be made for one that found nothing',
    changes: [
      {
        find: 'if (error instanceof ListLagsError) lagging.set(uuid, lagged + 1);',
        replace: 'return [];',
      },
    ],
    course: 'lastLookFails',
    breaks: 'nothing said in time is untold and unreported',
    test: {
      path: 'packages/orchestrator/src/outbox/last-look.test.ts',
      name: 'a look that cannot be made, or a role that cannot be asked, says nothing: it is made again',
    },
  },
  {
    name: 'doubles-stay',
    does: 'leaves two comments with one topic as they are',
    changes: [doublesStay],
    course: 'staleListAfterKill',
    breaks: 'a run has one final comment',
    test: {
      path: 'packages/platforms/src/github/github-comment-writer.test.ts',
      name: 'leaves one comment where the listing after a lost answer is an older one',
      suite: 'packages/platforms/test/suites/comment-writer-trouble.ts',
    },
  },
  {
    name: 'own-comments-are-read-forwards',
    does: 'looks for its own comment page by page from the first, so that one that moves is not seen, and leaves the second',
    changes: [
      doublesStay,
      {
        find: `: await listNotesSince(context, { ...asked, since });
      return`,
        replace: `: await listAllNotes(context, asked);
      return`,
      },
      {
        find: `  const behind = await readBackwards(ask, first.lastPage);
  return [...first.data, ...behind, ...(await ask(undefined)).data];`,
        replace: `  const pages: GitLabAnswer<Item[]>[] = [first];
  for (let next = first.next; next !== null; next = pages.at(-1)?.next ?? null) pages.push(await ask(next));
  return pages.flatMap(({ data }) => data);`,
      },
    ],
    course: 'ownCommentShift',
    forge: 'gitlab',
    breaks: 'a run has one final comment',
    test: {
      path: 'packages/platforms/test/gitlab-contract.test.ts',
      name: 'finds the comment behind a hundred others, although one of them is deleted between two pages',
      suite: 'packages/platforms/src/testing/own-comments-contract.ts',
    },
  },
  {
    name: 'report-says-told-of-all',
    does: 'reports each comment of the record as told, whether or not a request with it was answered',
    changes: [
      {
        find: 'return { ...delivery, told: line < answeredAt };',
        replace: 'return { ...delivery, told: true };',
      },
    ],
    course: 'toldInARefusedRequest',
    breaks: 'the report says told only of what was told',
    test: {
      path: 'packages/orchestrator/src/inbox/heard-record.test.ts',
      name: 'tells apart what stood in a request from what only lies in the journal',
    },
  },
  {
    name: 'a-fork-is-told-nobody',
    does: 'says nothing on a request from a fork, on which it does not work',
    changes: [
      {
        find: 'await refuseThread(refusal, { thread, ports, trigger, locale, signal });',
        replace: '',
      },
    ],
    course: 'forkMergeRequest',
    forge: 'gitlab',
    breaks: { says: 'nobody was told why nothing happens' },
    test: {
      path: 'packages/orchestrator/test/requests-of-people.test.ts',
      name: 'from a fork is sent back with one comment that says why',
    },
  },
  {
    name: 'a-task-is-tried-once',
    does: 'leaves a task alone that could not be begun, until the next start',
    changes: [
      {
        find: 'dueAt <= now() || (entry.runId !== null && hurried.includes(entry.runId))',
        replace: 'dueAt < 0 && hurried.includes(entry.key)',
      },
    ],
    course: 'unauthorizedAtBegin',
    breaks: { says: 'a final comment without another start' },
    test: {
      path: 'packages/orchestrator/src/queue/create-task-worker.test.ts',
      name: 'a task that fails is tried again after pauses that grow to an hour',
    },
  },
  {
    name: 'an-end-is-told-before-it-is-written',
    does: 'tells people of an end that a full disk refused to write down',
    changes: [
      {
        find: "run.logger.error({ err: error }, 'failed to record run result; retrying');",
        replace:
          "const { finalComment: body } = parseEndDetails(end.details); await run.thread.ports.writer.ensureComment({ topic: 'run:' + run.uuid + ':final', body });",
      },
    ],
    course: 'diskFullAtEnd',
    breaks: { says: 'the thread shows an end that is not recorded' },
    test: {
      path: 'packages/orchestrator/src/lifecycle/conclude.test.ts',
      name: 'that the disk refuses is told to nobody, and is tried again',
    },
  },
  {
    name: 'an-end-that-waits-for-the-disk-waits-for-a-start',
    does: 'leaves a run alone whose end a full disk refused, and with it its thread, until the next start',
    changes: [
      {
        find: 'deferred.set(entry.key, { ...left, dueAt: now() + waitMs });',
        replace: 'deferred.set(entry.key, { ...left, dueAt: Number.POSITIVE_INFINITY });',
      },
    ],
    course: 'diskFullRelabelled',
    breaks: { says: 'the new request is met by the same process' },
    test: {
      path: 'packages/orchestrator/src/queue/create-task-worker.test.ts',
      name: 'a run that is left for later is offered again as data',
    },
  },
  {
    name: 'known-answers-are-called-unknown',
    does: 'tells the model of each call without a result that its effect is unknown, also of those that had not begun',
    changes: [
      {
        find: 'oneByOne && index > 0 ? toUnbegunResult(call) : toInterruptedResult(call)',
        replace: 'toInterruptedResult(call)',
      },
    ],
    course: 'knownAnswersCalledUnknown',
    breaks: { says: 'calls are told as unknown' },
    test: {
      path: 'packages/runner/src/resume.test.ts',
      name: 'says of the calls behind the one that was cut short that they were not carried out',
    },
  },
  {
    name: 'a-refused-push-is-final',
    does: 'ends a run at the first 403 of git',
    changes: [
      {
        find: 'refusedCodes.has(',
        replace: 'new Set<unknown>().has(',
      },
    ],
    course: 'gitForbidden',
    breaks: { says: 'the labels are' },
    test: {
      path: 'packages/orchestrator/src/intents/do-intent.test.ts',
      name: 'what is refused stays open and can be done later',
    },
  },
];
