import { path, type TrialForge } from './trial-forge.ts';

export const trialClasses = [
  'fails',
  'flaky',
  'review',
  'forced',
  'outdated',
  'conflict',
  'stranger',
] as const;

/** Story of a change request: its check fails, is flaky, or fails before a review; somebody forces a push, comments on a line that then changes, changes the same line on the base; somebody without rights reviews. */
export type TrialClass = (typeof trialClasses)[number];

/** End of a trial's watch. */
export type ExpectedEnd = 'green' | 'rounds' | 'conflict';

/** Conversation as the model sees it. */
export interface ModelView {
  /** What it was told by us and people, oldest first. */
  readonly said: readonly string[];
  /** Texts of the files that it wrote since it was told something. */
  readonly written: readonly string[];
  /** Calls since then, by name. */
  readonly called: readonly string[];
}

/** Reply of the model. */
export type ModelReply =
  | { readonly write: string }
  | { readonly call: string; readonly input: object }
  | { readonly text: string };

/** Story of one trial. */
export interface TrialStory {
  readonly reply: (view: ModelView) => ModelReply;
  readonly ci: Parameters<TrialForge['answerCi']>[0];
  /** Acts of people, each done once, after each other, as soon as the time has come. @returns whether it was done */
  readonly acts: readonly ((forge: TrialForge) => Promise<boolean> | boolean)[];
  /** Done while the run works on its first round; null for nothing. */
  readonly whileAtWork: ((forge: TrialForge) => Promise<unknown>) | null;
  readonly end: ExpectedEnd;
  /** Rounds that people and checks give a reason for. */
  readonly mostRounds: number;
}

const wrong = 'export const sum = (a, b) => a * b;\n';
const right = 'export const sum = (a, b) => a + b;\n';
const ofAlice = 'export const sum = (a, b) => a - b + 0;\n';
const both = 'export const sum = (a, b) => a + b + 0;\n';
const remark = '// Adds both.\n';

/** Words of Alice that make her text one; each stands in no other text. */
export const wishes = { plus: 'Plus, please.', remark: 'Say in a remark what it does, please.' } as const;
const failureLog = 'found -1';
export const limits = { rounds: 4, onHead: 2 } as const;

/** Words by which the model is told that a round has begun. */
export const roundWords = 'Something has happened there since (round';

/** Tells whether a round has begun. */
export function hasRound({ said }: Pick<ModelView, 'said'>): boolean {
  return said.some((text) => text.includes(roundWords));
}

const isSaid = ({ said }: ModelView, words: string) => said.some((text) => text.includes(words));

/** Writes what it was asked for, once each time that it is told something, then says so. */
function repairing({ isAble = true, startsRight = false } = {}): TrialStory['reply'] {
  return (view) => {
    const isTold = startsRight || isSaid(view, failureLog) || isSaid(view, wishes.plus);
    const sum = isTold && isAble ? right : wrong;
    const attempt = isAble ? '' : `// ${view.said.length}\n`;
    const text = `${isSaid(view, wishes.remark) ? remark : ''}${sum}${attempt}`;
    return view.written.includes(text) ? { text: 'It is as it was asked for.' } : { write: text };
  };
}

function merging(isAble: boolean): TrialStory['reply'] {
  return (view) => {
    const isConflict = view.said.at(-1)?.includes('conflicts with its base') === true;
    if (!isConflict) return repairing({ startsRight: true })(view);
    if (!isAble) return { text: 'I cannot merge them.' };
    if (!view.called.includes('merge_base')) return { call: 'merge_base', input: {} };
    return view.written.includes(both) ? { text: 'Both are kept.' } : { write: both };
  };
}

const judging: TrialStory['ci'] = ({ read }) => {
  const isRight = /a \+ b/u.test(read(path) ?? '');
  const conclusion = isRight ? 'success' : 'failure';
  return [{ name: 'test', conclusion, log: failureLog, takesMs: 3_000_000 }];
};
const flaky: TrialStory['ci'] = ({ attempt }) => [
  {
    ...{ name: 'test', conclusion: attempt > 1 ? 'success' : 'failure', takesMs: 900_000 },
    log: 'Error: read ECONNRESET',
  },
];

const isAtRemark = (forge: TrialForge) => readHead(forge)?.includes('a + b') === true;

/** Reads the file at the head of the change request; null before it is there. */
function readHead(forge: TrialForge): string | null {
  const branch = forge.branch();
  return branch === null ? null : forge.git('show', `${branch}:${path}`);
}

/** Waits for the change request, then acts. */
const onceThere =
  (act: (forge: TrialForge, branch: string) => unknown, isTime = (_: TrialForge) => true) =>
  async (forge: TrialForge) => {
    const branch = forge.branch();
    if (branch === null || !isTime(forge)) return false;
    await act(forge, branch);
    return true;
  };

/** Lets the agent look at its change request first. */
const onceSeen = () => {
  let looks = 0;
  return () => {
    looks += 1;
    return looks > 1;
  };
};

/** Tells the story of a class; `variant` says which of its ways it takes. */
export function tellStory(kind: TrialClass, variant: number): TrialStory {
  const isOdd = variant % 2 === 1;
  const story = {
    reply: repairing(),
    ci: judging,
    acts: [],
    whileAtWork: null,
    end: 'green',
    mostRounds: 1,
  } as const;
  switch (kind) {
    case 'fails':
      return variant % 3 !== 2
        ? story
        : { ...story, reply: repairing({ isAble: false }), end: 'rounds', mostRounds: limits.rounds };
    case 'flaky':
      return { ...story, reply: repairing({ startsRight: true }), ci: flaky, mostRounds: 0 };
    case 'review': {
      const review = onceThere(
        (forge) =>
          isOdd ? forge.requestChanges('alice', wishes.remark) : forge.commentOnLine('alice', wishes.remark),
        isAtRemark,
      );
      // Requested changes keep the change request from being green until the reviewer approves.
      const isAnswered = (forge: TrialForge) =>
        forge.threads().some(({ comments }) => comments.length > 1 && comments.at(-1)?.author === 'agent');
      const approve = onceThere((forge) => forge.approve('alice'), isAnswered);
      return { ...story, acts: isOdd ? [review, approve] : [review], mostRounds: 2 };
    }
    case 'forced': {
      if (variant % 3 === 1) {
        const whileAtWork = async (forge: TrialForge) =>
          forge.push({ branch: forge.branch() ?? '', files: { 'NOTES.md': 'Mine.\n' } });
        return { ...story, whileAtWork };
      }
      const force = isOdd ? 'amend' : 'reset';
      const files = { [path]: wrong, 'NOTES.md': 'Mine.\n' };
      const push = (forge: TrialForge, branch: string) => forge.push({ branch, files, force });
      // Before a check has begun, or while one is under way.
      const acts = [variant % 3 === 2 ? onceThere(push) : onceThere(push, onceSeen())];
      return variant % 3 === 2 ? { ...story, acts, ci: flaky, mostRounds: 0 } : { ...story, acts };
    }
    case 'outdated': {
      const review = onceThere(async (forge, branch) => {
        await forge.commentOnLine('alice', wishes.plus);
        await forge.push({ branch, files: { [path]: `// Hers.\n${ofAlice}` } });
      });
      return { ...story, acts: [review] };
    }
    case 'conflict': {
      const change = onceThere((forge) => forge.push({ branch: 'main', files: { [path]: ofAlice } }));
      const end = isOdd ? 'conflict' : 'green';
      return { ...story, reply: merging(!isOdd), acts: [change], end };
    }
    case 'stranger': {
      const review = onceThere(async (forge) => {
        await forge.commentOnLine('stranger', 'Drop it all.');
        forge.say('stranger', 'Drop it all, I say.');
      });
      return { ...story, reply: repairing({ startsRight: true }), acts: [review], mostRounds: 0 };
    }
  }
}
