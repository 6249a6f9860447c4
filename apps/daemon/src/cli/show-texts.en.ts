import { formatCommand } from '../command-name.ts';

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** English texts of `agent-daemon show`. */
export const show = {
  since: (time: string) => `since ${time}`,
  failedStep: 'Failed step',
  answer: 'Answer:',
  held: 'Held changes:',
  patches: 'To see the patches, use --full.',
  allow:
    'To release a held change, a user with write access comments on the issue or pull request, for example /allow H1.',
  resume: (task: string) => `To resume: ${formatCommand(`resume ${task}`)}, or comment /resume`,
  retry: (task: string) => `To retry: ${formatCommand(`retry ${task}`)}, or comment /retry`,
  times: (started: string, ended: string | null) =>
    `Started ${started}${ended === null ? '' : `, ended ${ended}`}`,
  soFar: (tokens: number, cost: string | null, duration: string) =>
    `${tokens} tokens, ${duration} so far${cost === null ? '' : `, cost ${cost}`}`,
  facts: {
    thread: 'Thread',
    changeRequest: 'Draft',
    files: 'Changed files',
    branch: 'Branch',
    commit: 'Commit',
    model: 'Model',
    run: 'Run',
    record: 'Record',
  },
  folded: (chars: number) => `(${plural(chars, 'more character')}, --full shows them)`,
  noErrors: 'No call of a tool failed.',
  comments: 'comments received',
  plan: 'plan',
};

export type ShowTexts = typeof show;
