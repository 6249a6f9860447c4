import { startGitHubSimulator } from '@agent/simulators/github';

export const repository = 'acme/shop';
/** Whose comments are the agent's own. */
export const agentLogin = 'robot';

/** Comments written on a thread at one moment. */
export interface WrittenComments {
  readonly number: number;
  /** Milliseconds since the epoch, by GitHub's clock. */
  readonly at: number;
  readonly author: string;
  readonly count: number;
}

/** One comment of a thread, by its place. */
export interface EditedComment {
  readonly number: number;
  readonly at: number;
  readonly index: number;
}

/** A GitHub with long threads, and what happens on it. */
export interface ThreadForge {
  readonly describe: () => Promise<{ readonly url: string }>;
  /** Opens a thread with so many comments, a minute apart, the newest at `until`; returns its number. */
  readonly openThread: (thread: { readonly comments: number; readonly until: number }) => Promise<number>;
  /** A token of the agent's, which has used nothing yet. */
  readonly newToken: () => Promise<string>;
  /** Returns the ids of the new comments. */
  readonly comment: (written: WrittenComments) => Promise<readonly string[]>;
  readonly edit: (edited: EditedComment) => Promise<void>;
  readonly close: () => Promise<void>;
}

const minuteMs = 60_000;
const unlimited = 10_000_000;
/** What makes a listed comment 3 KB long, the length of those of the real GitHub. */
const bodyLength = 1_560;

/** Limits are lifted: a bench packs hours into seconds, and the ways that it compares with need more than an hour's. */
export async function startThreadForge(): Promise<ThreadForge> {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const secondaryLimits = {
    pointsPerMinute: unlimited,
    contentPerMinute: unlimited,
    contentPerHour: unlimited,
  };
  const gitHub = await startGitHubSimulator({ now: () => time, secondaryLimits });
  for (const login of ['acme', 'alice', agentLogin]) gitHub.addUser({ login });
  await gitHub.addRepository({ owner: 'acme', name: 'shop', collaborators: { [agentLogin]: 'write' } });
  gitHub.setRateLimit({ limit: unlimited, remaining: unlimited });
  let tokens = 0;
  let written = 0;
  const write = (number: number, author: string): string => {
    written += 1;
    return String(gitHub.comment({ repo: repository, number, author, body: toBody(written) }).id);
  };
  return {
    describe: async () => ({ url: gitHub.url }),
    openThread: async ({ comments, until }) => {
      time = until - comments * minuteMs;
      const { number } = gitHub.openIssue({ repo: repository, author: 'alice', title: 'The total is wrong' });
      for (let index = 0; index < comments; index += 1) {
        time += minuteMs;
        write(number, 'alice');
      }
      return number;
    },
    newToken: async () => {
      tokens += 1;
      const token = `ghp_ThisIsTheTokenOfTheRobotNumber${tokens}`;
      gitHub.addToken({ token, login: agentLogin });
      return token;
    },
    comment: async ({ number, at, author, count }) => {
      time = at;
      return Array.from({ length: count }, () => write(number, author));
    },
    edit: async ({ number, at, index }) => {
      time = at;
      const comment = gitHub.thread(repository, number).comments.at(index);
      if (comment === undefined) throw new Error(`There is no comment at ${index} of #${number}.`);
      written += 1;
      gitHub.editComment(repository, comment.id, toBody(written));
    },
    close: () => gitHub.close(),
  };
}

function toBody(number: number): string {
  return `Comment ${number}: the total forgets the quantity of each line. `.repeat(40).slice(0, bodyLength);
}
