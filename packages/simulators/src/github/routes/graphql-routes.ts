import { z } from 'zod';
import type { Asking, GraphError } from '../graphql/asking.ts';
import { issueMutations } from '../graphql/issue-mutations.ts';
import { parseQuery, QueryError } from '../graphql/parse-query.ts';
import { reviewMutations } from '../graphql/review-mutations.ts';
import { type GraphObject, select } from '../graphql/select.ts';
import { graphRepository } from '../graphql/thread-graph.ts';
import { ok } from '../http/answers.ts';
import { bodyOf } from '../http/request-body.ts';
import { viewerOf } from '../http/requirements.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import { roleOfToken } from '../state/access.ts';
import { requiresAuthentication } from '../state/refusal.ts';
import { findRepository } from '../state/repositories.ts';

/** Questions about threads and their reviews, changes of the latter, and the deletion of issues. @see https://docs.github.com/en/graphql */
export const graphqlRoutes: readonly Route[] = [route('POST /graphql', 'graphql', answerQuery)];

const request = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).nullish() });

/** An error is an answer of 200, too: `errors` beside what could be had. */
function answerQuery(call: Call): Answer {
  const { query, variables } = bodyOf(call, request);
  const errors: GraphError[] = [];
  const asking = askingOf(call, errors);
  try {
    const { kind, selections } = parseQuery(query, variables ?? {});
    const root =
      kind === 'query' ? graphRoot(asking) : { ...reviewMutations(asking), ...issueMutations(asking) };
    const data = select(root, selections);
    return ok(errors.length === 0 ? { data } : { data, errors });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return ok({ errors: [{ message: error.message }] });
  }
}

function askingOf(call: Call, errors: GraphError[]): Asking {
  const { state, token, urls } = call;
  if (!token) throw requiresAuthentication();
  const refuse = (error: GraphError) => {
    errors.push(error);
    return null;
  };
  return { state, token, urls, viewer: viewerOf(call), refuse };
}

function graphRoot(asking: Asking): GraphObject {
  const missing = (path: readonly string[], message: string) =>
    asking.refuse({ type: 'NOT_FOUND', path, message });
  return {
    __typename: 'Query',
    // Former names are followed unless the query says otherwise.
    // @see https://docs.github.com/en/graphql/reference/queries#repository
    repository: ({ owner, name, followRenames }: Readonly<Record<string, unknown>>) => {
      const named = `${owner}/${name}`;
      const former = followRenames === false ? undefined : asking.state.formerNames.get(named.toLowerCase());
      const repository = findRepository(asking.state, named) ?? former;
      if (!repository || !roleOfToken(repository, asking.token))
        return missing(['repository'], `Could not resolve to a Repository with the name '${named}'.`);
      const graph = graphRepository(repository, asking);
      const finding = (field: 'issueOrPullRequest' | 'pullRequest', kind: string) => {
        const find = graph[field] as (values: object) => GraphObject | null;
        return (values: { readonly number?: unknown }) =>
          find(values) ??
          missing(['repository', field], `Could not resolve to ${kind} with the number of ${values.number}.`);
      };
      return {
        ...graph,
        issueOrPullRequest: finding('issueOrPullRequest', 'an issue or pull request'),
        pullRequest: finding('pullRequest', 'a PullRequest'),
      };
    },
  };
}
