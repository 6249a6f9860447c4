import type * as z from 'zod';
import { type GitHubAnswer, type GitHubCall, type GitHubClient, toAskAll } from './github-client.ts';

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
    if (answer.etag !== null) memory.set(address, answer);
    for (const oldest of [...memory.keys()].slice(0, Math.max(0, memory.size - maxAnswers)))
      memory.delete(oldest);
    return answer;
  };
  return { ask, askAll: toAskAll(ask) };
}

function toAddress({ route, page, parameters }: GitHubCall): string {
  return page ?? `${route} ${JSON.stringify(parameters)}`;
}
