import { roleOfToken } from '../state/access.ts';
import { parseNodeId } from '../state/node-id.ts';
import { deleteThread } from '../state/threads.ts';
import type { Asking, Values } from './asking.ts';
import type { GraphObject } from './select.ts';

/**
 * Deletes issues, which takes the role of an administrator.
 * @see https://docs.github.com/en/graphql/reference/mutations#deleteissue
 */
export function issueMutations(asking: Asking): GraphObject {
  return {
    __typename: 'Mutation',
    deleteIssue: ({ input }: Values) => {
      const { issueId, clientMutationId = null } = (input ?? {}) as {
        readonly issueId?: string;
        readonly clientMutationId?: string | null;
      };
      const path = ['deleteIssue'];
      const id = parseNodeId('Issue', String(issueId));
      const threads = [...asking.state.repositories.values()].flatMap(({ threads: all }) => [
        ...all.values(),
      ]);
      const thread = threads.find((one) => one.id === id && one.pull === null);
      const role = thread && roleOfToken(thread.repository, asking.token);
      if (!thread || !role)
        return asking.refuse({
          ...{ type: 'NOT_FOUND', path },
          message: `Could not resolve to a node with the global id of '${issueId}'.`,
        });
      if (role !== 'admin' || asking.token.permissions.issues !== 'write') {
        const message = `${asking.viewer.login} does not have the correct permissions to execute \`DeleteIssue\``;
        return asking.refuse({ type: 'FORBIDDEN', path, message });
      }
      deleteThread(thread);
      return { __typename: 'DeleteIssuePayload', clientMutationId };
    },
  };
}
