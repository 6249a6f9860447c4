import * as z from 'zod';
import type { GitHubAnswer, GitHubCall, GitHubClient } from './github-client.ts';

const pageSize = 100;

/** Answers by their address, the one asked for longest ago first. */
export type AnswerMemory = Map<string, GitHubAnswer<unknown>>;

/** A client that remembers: what did not change since costs nothing of the primary limit. */
export type RememberingClient = Pick<GitHubClient, 'ask' | 'askAll'>;

/**
 * Asks with the ETag of the last answer from the same address and gives that answer again where GitHub says that it
 * still holds. Every answer is GitHub's of this moment: nothing is given without asking.
 *
 * @param options maxAnswers: how many answers are kept, those asked for last; default 200
 * @see https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
 */
export function withAnswerMemory(
  client: GitHubClient,
  { memory, maxAnswers = 200 }: { readonly memory: AnswerMemory; readonly maxAnswers?: number },
): RememberingClient {
  const ask: GitHubClient['ask'] = async (call, schema) => {
    const address = toAddress(call);
    // What is kept under an address has passed the schema of the only port that asks there.
    const known = memory.get(address) as GitHubAnswer<z.output<typeof schema>> | undefined;
    const changed = await client.askIfChanged({ ...call, etag: known?.etag ?? null }, schema);
    const answer = changed ?? known ?? (await client.ask(call, schema));
    memory.delete(address);
    if (answer.etag !== null && mayHoldAgain(answer)) memory.set(address, answer);
    for (const oldest of [...memory.keys()].slice(0, Math.max(0, memory.size - maxAnswers)))
      memory.delete(oldest);
    return answer;
  };
  return {
    ask,
    askAll: async (call, item) => {
      const items: z.output<typeof item>[] = [];
      for (let page: string | undefined, isLast = false; !isLast; ) {
        const answer: GitHubAnswer<z.output<typeof item>[]> = await ask({ ...call, page }, z.array(item));
        items.push(...answer.data);
        isLast = answer.next === null;
        page = answer.next ?? undefined;
      }
      return items;
    },
  };
}

/** A full last page stays as it is when a page is added behind it, so that its "not modified" would hide that page. */
function mayHoldAgain({ data, next }: GitHubAnswer<unknown>): boolean {
  return next !== null || !Array.isArray(data) || data.length < pageSize;
}

function toAddress({ route, page, parameters }: GitHubCall): string {
  return page ?? `${route} ${JSON.stringify(parameters)}`;
}
