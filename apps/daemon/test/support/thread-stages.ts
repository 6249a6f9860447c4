import type { Forge, ForgeName, ForgeThread } from './forge.ts';

/** A kind of thread on a kind of forge, with a model on one of the two endpoints. */
export interface ThreadStage {
  readonly name: string;
  /** Which requirement asks for it. */
  readonly requirement: 'CD-T13' | 'CD-T14';
  readonly forge: ForgeName;
  readonly api: 'responses' | 'chat';
  /** Opens the thread that the daemon is asked to work on. */
  readonly open: (forge: Forge) => ForgeThread | Promise<ForgeThread>;
}

const seed = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const head = { headBranch: 'alice/total', files: { 'NOTES.md': 'Alice was here.\n' } };
const openIssue = (forge: Forge) => forge.openIssue(seed);
const openChangeRequest = (forge: Forge) => forge.openChangeRequest({ ...seed, ...head });

/** Every kind of thread, and each endpoint on each forge. */
export const threadStages: readonly ThreadStage[] = [
  { name: 'an issue on GitHub', requirement: 'CD-T13', forge: 'github', api: 'responses', open: openIssue },
  {
    name: 'a pull request on GitHub',
    requirement: 'CD-T13',
    forge: 'github',
    api: 'chat',
    open: openChangeRequest,
  },
  { name: 'an issue on GitLab', requirement: 'CD-T14', forge: 'gitlab', api: 'chat', open: openIssue },
  {
    name: 'a merge request on GitLab',
    requirement: 'CD-T14',
    forge: 'gitlab',
    api: 'responses',
    open: openChangeRequest,
  },
];
