import { RehearsalError, type WaitOptions, waitFor } from '@agent/rehearsal';
import type { CommentState, RepositoryClient, ThreadReference } from '@agent/rehearsal/repository';
import type { Person } from './person.ts';
import type { RehearsalTexts } from './texts.en.ts';

/** Parts of a person who sits at a browser. */
export interface InteractivePersonOptions {
  /** RepositoryClient of the agent, through which the effects of each step are seen. */
  readonly client: RepositoryClient;
  readonly agentLogin: string;
  readonly texts: RehearsalTexts;
  /** Shows the user what to do. */
  readonly tell: (text: string) => void;
  readonly wait: WaitOptions;
}

/** Creates a person who is asked to do each step in the browser. A step is done when the platform shows its effect. */
export function createInteractivePerson(options: InteractivePersonOptions): Person {
  const { client, agentLogin, texts, tell, wait } = options;
  const { steps } = texts;
  let login: string | null = null;
  const urls = new Map<number, string>();

  async function seen<Found>(instruction: string, find: () => Promise<Found | null>): Promise<Found> {
    tell(instruction);
    const found = await waitFor(find, wait);
    if (found === null) throw new RehearsalError(texts.stepNotSeen);
    return found;
  }

  async function findComment(
    thread: ThreadReference,
    is: (comment: CommentState) => boolean,
  ): Promise<CommentState | null> {
    const all = await client.comments.list(thread);
    return all.find((comment) => comment.author !== agentLogin && is(comment)) ?? null;
  }

  return {
    login: () => login,
    openIssue: (issue) =>
      seen(steps.openIssue(client.pages.newIssue(issue), issue.label), async () => {
        // The rehearsal deletes this issue at the end: it has to be its own.
        const found = (await client.issues.listOpen(issue.label)).find(({ body }) => body.includes(issue.id));
        if (found !== undefined) urls.set(found.number, found.url);
        return found ?? null;
      }),
    comments: {
      post: async (thread, body) => {
        const known = new Set((await client.comments.list(thread)).map(({ id }) => id));
        const isIt = ({ id, body: text }: CommentState) => !known.has(id) && contains(text, body);
        const found = await seen(steps.post(urls.get(thread.number) ?? `#${thread.number}`, body), () =>
          findComment(thread, isIt),
        );
        login = found.author;
        return found.id;
      },
      edit: async (thread, id, body) => {
        const isIt = (comment: CommentState) => comment.id === id && contains(comment.body, body);
        await seen(steps.edit(body), () => findComment(thread, isIt));
      },
      remove: async (thread, id) => {
        await seen(steps.remove, async () =>
          (await findComment(thread, (comment) => comment.id === id)) === null ? true : null,
        );
      },
    },
    review: async (request, { path, line }, body) => {
      const found = await seen(steps.review(request.url, `${path}:${line}`, body), async () => {
        const all = await client.requests.listLineComments(request.number);
        return all.find(({ author, replyTo }) => author !== agentLogin && replyTo === null) ?? null;
      });
      return found.id;
    },
  };
}

/** Compares without white space, which editors change. */
function contains(text: string, wanted: string): boolean {
  const bare = (one: string): string => one.replace(/\s+/g, ' ').trim().toLowerCase();
  return bare(text).includes(bare(wanted));
}
