import * as z from 'zod';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import type { GitHubThreadContext } from './github-context.ts';

/** Sends a query. An error comes as an answer of 200, too. An Enterprise server has GraphQL beside its REST API: https://host/api/graphql */
export async function askGraph<Schema extends z.ZodType>(
  { client, repository, settings }: GitHubThreadContext,
  asked: {
    readonly doing: string;
    readonly permission: string;
    readonly query: string;
    readonly variables: Readonly<Record<string, unknown>>;
    readonly data: Schema;
  } & CallOptions,
): Promise<z.output<Schema>> {
  const { doing, permission, query: text, variables, signal } = asked;
  const parameters = { baseUrl: settings.baseUrl.replace(/\/v3$/u, ''), query: text, variables };
  const call = { doing, repository, permission, route: 'POST /graphql', parameters, signal };
  const { data, errors } = (await client.ask(call, answerSchema)).data;
  const read = asked.data.safeParse(data);
  if ((errors ?? []).length === 0 && read.success) return read.data;
  const said =
    (errors ?? []).map(({ message }) => message).join(' ') || 'The answer is not what was asked for.';
  throw new PlatformError(`Could not ${doing} (${permission}): ${said}`, { code: toCode(errors?.[0]?.type) });
}

const answerSchema = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.object({ type: z.string().nullish(), message: z.string() })).nullish(),
});

function toCode(type: string | null | undefined) {
  if (type === 'NOT_FOUND') return 'not-found';
  return type === 'FORBIDDEN' ? 'forbidden' : 'unavailable';
}

const queueQuery = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) { isInMergeQueue } }
}`;

const queueSchema = z.object({
  repository: z.object({ pullRequest: z.object({ isInMergeQueue: z.boolean() }) }),
});

/**
 * Tells whether a pull request waits in a merge queue, which REST does not show. A server that knows no merge queues
 * answers that the field does not exist.
 *
 * @see https://docs.github.com/en/graphql/reference/objects#pullrequest
 */
export async function isInMergeQueue(
  context: GitHubThreadContext,
  { signal }: CallOptions,
): Promise<boolean> {
  const asked = {
    doing: `read whether ${context.name} is in a merge queue`,
    permission: 'pull_requests: read',
    query: queueQuery,
    variables: { ...context.place, number: context.key.number },
    data: queueSchema,
    signal,
  };
  try {
    return (await askGraph(context, asked)).repository.pullRequest.isInMergeQueue;
  } catch (error) {
    const isUnknown =
      PlatformError.isInstance(error) &&
      ['isInMergeQueue', "doesn't exist"].every((word) => error.message.includes(word));
    if (isUnknown || (PlatformError.isInstance(error) && error.code === 'forbidden')) return false;
    throw error;
  }
}
