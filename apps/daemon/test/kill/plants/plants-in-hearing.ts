import type { Plant } from './plant.ts';

/** What the daemon hears on a thread, and what it makes of it. */
export const plantsInHearing: readonly Plant[] = [
  {
    name: 'could-not-ask-is-a-stranger',
    does: 'takes an author of whom nobody could say what they may do for a stranger',
    changes: [
      {
        find: "onUnknown(error, first.id);\n    return 'unknown';",
        replace: "onUnknown(error, first.id);\n    return 'untrusted';",
      },
      // Alice wrote the thread, and what she may do would be remembered.
      {
        find: 'const rememberedMs = 60_000;',
        replace: 'const rememberedMs = 0;',
      },
    ],
    course: 'trustedAsStranger',
    breaks: 'who may give instructions is told as such, and nobody else',
    test: {
      path: 'packages/comment-detection/src/observation.test.ts',
      name: 'is no stranger: the comment waits, and is told as what it is when that is known',
    },
  },
  {
    name: 'a-stop-that-waits-is-refused',
    does: 'writes down as refused what it could not ask about, before that is known',
    changes: [
      {
        find: "onUnknown(error, first.id);\n    return 'unknown';",
        replace: "onUnknown(error, first.id);\n    return 'untrusted';",
      },
    ],
    course: 'stopForgotten',
    breaks: 'a command is obeyed once, and not forgotten',
    test: {
      path: 'packages/orchestrator/src/inbox/heard-record.test.ts',
      name: 'makes nobody a stranger: a stop waits',
    },
  },
  {
    name: 'obedience-is-forgotten',
    does: 'does not read, when it starts again, which commands it obeyed',
    changes: [
      {
        find: 'return value === null ? [] : commandsSchema.parse(value).commands;',
        replace: 'return value === null ? [] : [];',
      },
    ],
    course: 'pauseHeardTwice',
    breaks: { says: 'the labels are' },
    test: {
      path: 'packages/orchestrator/src/inbox/heard-record.test.ts',
      name: 'is not obeyed again by the next process, whoever took it back',
    },
  },
  {
    name: 'missing-from-a-list-is-deleted',
    does: 'takes what a list leaves out for deleted, without asking for it',
    changes: [
      {
        find: 'if (get !== null) return proveByAsking(looked, { ids, get });',
        replace: 'if (get !== null) return { ...looked, absent };',
      },
    ],
    course: 'twoListingsWithAHole',
    breaks: 'only what was deleted is told as deleted, with its words',
    test: {
      path: 'packages/comment-detection/src/observation.test.ts',
      name: 'is told on the proof alone, however often the lists leave the comment out',
    },
  },
  {
    name: 'words-are-not-recorded',
    does: 'writes down that something was said, and not what',
    changes: [
      {
        find: `        ...rest,
        author: author && {`,
        replace: `        ...rest,
        body: '',
        author: author && {`,
      },
    ],
    course: 'deletionAfterKill',
    breaks: 'only what was deleted is told as deleted, with its words',
    test: {
      path: 'packages/orchestrator/src/inbox/heard-record.test.ts',
      name: 'alone says what comes next: every other file may be',
    },
  },
  {
    name: 'an-older-time-is-no-edit',
    does: 'passes over other words with an older time, also where the platform says that they stand',
    changes: [
      {
        find: 'if (isOlder && comment.updatedAt !== null && rules.isProven !== true) return null;',
        replace: 'if (isOlder && comment.updatedAt !== null) return null;',
      },
    ],
    course: 'clockBack',
    breaks: { says: 'was told nobody' },
    test: {
      path: 'packages/comment-detection/src/observation.test.ts',
      name: 'an edit is heard whose time is',
    },
  },
  {
    name: 'long-comments-are-dropped',
    does: 'leaves out the comments that one message has no room for',
    changes: [
      {
        find: 'rest: formatRest(changes, fitted, options)',
        replace: "rest: ''",
      },
    ],
    course: 'longComments',
    breaks: 'the report says told only of what was told',
    test: {
      path: 'packages/orchestrator/src/thread/fit-delivery.test.ts',
      name: 'never exceeds a quarter of the window',
    },
  },
  {
    name: 'the-threads-text-is-read-once',
    does: "does not hear an edit of the thread's own text",
    changes: [
      {
        find: "return changeKindOf(entry) ?? (entry.toldUnknown ? 'added' : null);",
        replace:
          "return entry.comment.part === 'thread' ? null : (changeKindOf(entry) ?? (entry.toldUnknown ? 'added' : null));",
      },
    ],
    course: 'issueBodyEdited',
    breaks: { says: 'papayaword was told nobody' },
    test: {
      path: 'packages/orchestrator/src/thread/thread-text.test.ts',
      name: 'tells an edit of the thread itself with what changed',
    },
  },
  {
    name: 'deliveries-are-forgotten',
    does: 'does not read, when it starts again, what it told the model',
    changes: [
      {
        find: 'for (const item of event.delivers)\n        entries.set(',
        replace: 'for (const item of [] as typeof event.delivers)\n        entries.set(',
      },
    ],
    course: 'deleted:current.jsonl',
    breaks: 'each comment stands in exactly one message',
    test: {
      path: 'packages/comment-detection/src/delivery.property.test.ts',
      name: 'by its journal alone',
    },
  },
];
