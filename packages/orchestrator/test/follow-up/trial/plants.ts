import type { SourceChange } from '@agent/simulators/plants';

/** A fault in our sources that the checker of the trials has to find. */
export interface FollowUpPlant {
  readonly name: string;
  readonly changes: readonly SourceChange[];
  /** Number of the trial, of those without faults and deaths, that shows it. */
  readonly trial: number;
  /** Words of what is found. */
  readonly says: RegExp;
}

/** Faults, each in one of the trials. */
export const followUpPlants: readonly FollowUpPlant[] = [
  {
    name: 'answers twice',
    changes: [
      {
        find: 'const { id, url } = await review.threads.answer({ ...data, mayExist });',
        replace:
          // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a source.
          'await review.threads.answer({ ...data, topic: `${data.topic}:again` }); const { id, url } = await review.threads.answer({ ...data, mayExist });',
      },
    ],
    trial: 4,
    says: /a thread of alice has 2 answers, not 1/u,
  },
  {
    name: 'pushes by force',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a source.
    changes: [{ find: '...[remote.text, `${ref}:${ref}`],', replace: '...[remote.text, `+${ref}:${ref}`],' }],
    trial: 10,
    says: /was forced|of a person is gone/u,
  },
  {
    name: 'hears its own words',
    changes: [
      {
        find: 'if (author?.id === ownAccount.id) return true;',
        replace: 'if (author?.id === ownAccount.id) return false;',
      },
    ],
    trial: 4,
    says: /has no reason|rounds, for/u,
  },
  {
    name: 'acts on an old head',
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
    trial: 24,
    says: /is about checks of an old head/u,
  },
  {
    name: 'asks the model while it waits',
    changes: [
      {
        find: "if (waitsFor === 'follow-up') return (await watch(said)).kind !== 'wait';",
        replace: "if (waitsFor === 'follow-up') return true;",
      },
    ],
    trial: 1,
    says: /has no reason/u,
  },
  {
    name: 'calls it green before it is',
    changes: [
      {
        find: 'return last.length > 0 && last.every((check) => isPass(check?.conclusion ?? null));\n}\n\nfunction isPass',
        replace: 'return true;\n}\n\nfunction isPass',
      },
    ],
    trial: 6,
    says: /it says green, and the checks are: (?:pending|none)/u,
  },
];
