import type { SeededBug } from '@agent/simulators/trials';
import { drawTrial } from './draw-trial.ts';
import type { Trial } from './play-trial.ts';

/** The trial of a seed, without lost requests and crashes. */
const calm = (seed: number) => () => [drawTrial(seed, { calm: true })];

/** Faults that the judge of the trials has to find. */
export const followUpBugs: readonly SeededBug<Trial>[] = [
  {
    name: 'answers-twice',
    does: 'answers a review thread twice',
    changes: [
      {
        find: 'const { id, url } = await review.threads.answer({ ...data, mayExist });',
        replace:
          // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a source.
          'await review.threads.answer({ ...data, topic: `${data.topic}:again` }); const { id, url } = await review.threads.answer({ ...data, mayExist });',
      },
    ],
    trials: calm(4),
    finds: [/a thread of alice has 2 answers, not 1/u],
  },
  {
    name: 'pushes-by-force',
    does: 'pushes by force',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a source.
    changes: [{ find: '...[remote.text, `${ref}:${ref}`],', replace: '...[remote.text, `+${ref}:${ref}`],' }],
    trials: calm(10),
    finds: [/was forced|of a person is gone/u],
  },
  {
    name: 'reads-its-own-comments',
    does: 'starts a round because of its own comment',
    changes: [
      {
        find: 'if (author?.id === ownAccount.id) return true;',
        replace: 'if (author?.id === ownAccount.id) return false;',
      },
    ],
    trials: calm(4),
    finds: [/has no reason|rounds, for/u],
  },
  {
    name: 'acts-on-an-old-head',
    does: 'acts on checks of an old commit',
    // Each of the three would hide that the others are gone.
    changes: [
      {
        find: 'const comments = await read(await checks.readHead({ signal }), { signal });',
        replace:
          'const comments = await read((globalThis.firstHead ??= await checks.readHead({ signal })), { signal });',
      },
      {
        find: 'if (head !== request.headSha || name === null || !isFailure(conclusion)) return false;',
        replace: 'if (name === null || !isFailure(conclusion)) return false;',
      },
      {
        find: 'return last === undefined || isFailure(last.conclusion);',
        replace: 'return true;',
      },
    ],
    trials: calm(24),
    finds: [/is about checks of an old head/u],
  },
  {
    name: 'asks-while-it-waits',
    does: 'asks the model while it waits',
    changes: [
      {
        find: "if (waitsFor === 'follow-up') return (await watch(said)).kind !== 'wait';",
        replace: "if (waitsFor === 'follow-up') return true;",
      },
    ],
    trials: calm(1),
    finds: [/has no reason/u],
  },
  {
    name: 'green-too-early',
    does: 'reports passed checks before they passed',
    changes: [
      {
        find: 'return last.length > 0 && last.every((check) => isPass(check?.conclusion ?? null));\n}\n\nfunction isPass',
        replace: 'return true;\n}\n\nfunction isPass',
      },
    ],
    trials: calm(6),
    finds: [/it says green, and the checks are: (?:pending|none)/u],
  },
];
