import { z } from 'zod';
import { parseQuery, QueryError } from '../graphql/parse-query.ts';
import { type GraphObject, select } from '../graphql/select.ts';
import { graphRepository } from '../graphql/thread-graph.ts';
import { ok } from '../http/answers.ts';
import { bodyOf } from '../http/request-body.ts';
import { viewerOf } from '../http/requirements.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import { roleOf } from '../state/access.ts';
import { findRepository } from '../state/repositories.ts';

/** Questions about the events of a thread. @see https://docs.github.com/en/graphql */
export const graphqlRoutes: readonly Route[] = [route('POST /graphql', 'graphql', answerQuery)];

const request = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).nullish() });

function answerQuery(call: Call): Answer {
  viewerOf(call);
  const { query, variables } = bodyOf(call, request);
  const errors: object[] = [];
  try {
    const data = select(graphRoot(call, errors), parseQuery(query, variables ?? {}));
    return ok(errors.length === 0 ? { data } : { data, errors });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return ok({ errors: [{ message: error.message }] });
  }
}

function graphRoot({ state, viewer }: Call, errors: object[]): GraphObject {
  const missing = (path: readonly string[], message: string) => {
    errors.push({ type: 'NOT_FOUND', path, message });
    return null;
  };
  return {
    __typename: 'Query',
    repository: ({ owner, name }: Readonly<Record<string, unknown>>) => {
      const named = `${owner}/${name}`;
      const repository = findRepository(state, named);
      if (!repository || !roleOf(repository, viewer))
        return missing(['repository'], `Could not resolve to a Repository with the name '${named}'.`);
      const graph = graphRepository(repository);
      const find = graph.issueOrPullRequest as (values: object) => GraphObject | null;
      return {
        ...graph,
        issueOrPullRequest: (values: { readonly number?: unknown }) =>
          find(values) ??
          missing(
            ['repository', 'issueOrPullRequest'],
            `Could not resolve to an issue or pull request with the number of ${values.number}.`,
          ),
      };
    },
  };
}
