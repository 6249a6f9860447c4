import { type GitHubSimulator, startGitHubSimulator } from '@agent/simulators/github';
import type { PersonAct } from './conversation.ts';
import { createFastClock } from './place.ts';

const repo = 'acme/shop';
const token = 'ghp_ThisIsTheTokenOfTheRobotInBenches001';

/** A thread of one play. */
export interface PlayThread {
  readonly thread: { readonly owner: string; readonly repo: string; readonly number: number };
  readonly act: (act: PersonAct) => void;
}

/** A forge on which all plays have their threads, with a clock that is fast. */
export interface ConversationForge {
  readonly url: string;
  readonly token: string;
  readonly epoch: number;
  /** Opens a thread; `onListing` hears of each listing of its comments before it is answered. */
  readonly openThread: (title: string, onListing: () => void) => PlayThread;
  readonly close: () => Promise<void>;
}

/** Starts the simulated GitHub. */
export async function startConversationForge(): Promise<ConversationForge> {
  const epoch = Date.now();
  const listeners = new Map<string, () => void>();
  const most = 10_000_000;
  const gitHub = await startGitHubSimulator({
    now: createFastClock(epoch),
    secondaryLimits: { pointsPerMinute: most, contentPerMinute: most, contentPerHour: most },
    onRequest: ({ method, path }) => {
      const number = /\/issues\/(\d+)\/comments(?:\?|$)/u.exec(path)?.[1] ?? '';
      if (method === 'GET') listeners.get(number)?.();
    },
  });
  for (const login of ['acme', 'robot']) gitHub.addUser({ login });
  gitHub.addToken({ token, login: 'robot' });
  gitHub.setRateLimit({ limit: most, remaining: most });
  await gitHub.addRepository({ owner: 'acme', name: 'shop', files: null, collaborators: { robot: 'write' } });
  const people = new Set<string>();
  return {
    ...{ url: gitHub.url, token, epoch, close: gitHub.close },
    openThread: (title, onListing) => {
      const { number } = gitHub.openIssue({ repo, author: 'acme', title });
      listeners.set(String(number), onListing);
      return {
        thread: { owner: 'acme', repo: 'shop', number },
        act: createActor(gitHub, { number, people }),
      };
    },
  };
}

function createActor(
  gitHub: GitHubSimulator,
  { number, people }: { readonly number: number; readonly people: Set<string> },
): PlayThread['act'] {
  const ids = new Map<string, number>();
  return (act) => {
    const id = ids.get(act.id) ?? 0;
    if (act.do === 'delete') gitHub.deleteComment(repo, id);
    else if (act.do === 'edit') gitHub.editComment(repo, id, act.text);
    else {
      if (!people.has(act.by)) gitHub.addUser({ login: act.by });
      people.add(act.by);
      ids.set(act.id, gitHub.comment({ repo, number, author: act.by, body: act.text }).id);
    }
  };
}
