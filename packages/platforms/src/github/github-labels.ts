import * as z from 'zod';
import type { Account } from '../model.ts';
import type { RepositoryLabels } from '../platform.ts';
import { isNotFound, PlatformError } from '../platform-error.ts';
import type { AssigneeEditor, CallOptions, LabelEditor } from '../ports.ts';
import type { GitHubCall } from './github-client.ts';
import type { GitHubThreadContext } from './github-context.ts';

/**
 * Adds and removes one label at a time, so that what people do meanwhile stays.
 *
 * @see https://docs.github.com/en/rest/issues/labels
 */
export function createGitHubLabels(context: GitHubThreadContext): LabelEditor {
  const { client, key } = context;
  return {
    addLabel: async (label, { signal } = {}) => {
      await ensureRepositoryLabel(context, { label, signal });
      const call = {
        ...toCall(context, { doing: `add the label ${label} to`, signal }),
        route: 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels',
        parameters: { ...context.place, issue_number: key.number, labels: [label] },
      };
      try {
        await client.ask(call, z.unknown());
      } catch (error) {
        // Perhaps it is the label that is gone: whoever tries again looks again.
        if (isNotFound(error) || isInvalid(error)) context.knownLabels.forget(toLabelKey(context, label));
        throw error;
      }
    },
    removeLabel: async (label, { signal } = {}) => {
      const call = {
        ...toCall(context, { doing: `remove the label ${label} from`, signal }),
        route: 'DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}',
        parameters: { ...context.place, issue_number: key.number, name: label },
      };
      try {
        await client.ask(call, z.unknown());
      } catch (error) {
        if (!isNotFound(error) || (await hasLabel(context, { label, signal }))) throw error;
      }
    },
  };
}

/** GitHub says 404 for a label that the thread does not carry and for a thread that is not there. */
async function hasLabel(context: GitHubThreadContext, { label, signal }: LabelQuestion): Promise<boolean> {
  const call = {
    ...toCall(context, { doing: `read the labels of`, signal }),
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/labels',
    parameters: { ...context.place, issue_number: context.key.number, per_page: 100 },
  };
  const labels = await context.client.askAll(call, z.object({ name: z.string() }));
  return labels.some(({ name }) => name.toLowerCase() === label.toLowerCase());
}

/**
 * Labels of repositories.
 *
 * @see https://docs.github.com/en/rest/issues/labels#list-labels-for-a-repository
 */
export function createGitHubRepositoryLabels(
  context: Pick<LabelPlace, 'client' | 'settings'>,
): RepositoryLabels {
  const toPlace = (path: string): LabelPlace => {
    const [owner = '', repo = ''] = path.split('/');
    return { ...context, repository: path, name: path, place: { owner, repo } };
  };
  return {
    listMissing: async (path, labels, { signal } = {}) => {
      const place = toPlace(path);
      const call = {
        ...toCall(place, { doing: 'list the labels of', signal }),
        route: 'GET /repos/{owner}/{repo}/labels',
        parameters: { ...place.place, per_page: 100 },
      };
      const listed = await context.client.askAll(call, z.object({ name: z.string() }));
      const names = new Set(listed.map(({ name }) => name.toLowerCase()));
      return labels.filter((label) => !names.has(label.toLowerCase()));
    },
    create: (path, label, { signal } = {}) => createLabel(toPlace(path), { label, signal }),
  };
}

interface LabelQuestion extends CallOptions {
  readonly label: string;
}

/** Repository whose labels are meant; `name` is its name, or that of a thread, for messages. */
type LabelPlace = Pick<GitHubThreadContext, 'client' | 'settings' | 'repository' | 'name' | 'place'>;

async function ensureRepositoryLabel(context: GitHubThreadContext, question: LabelQuestion): Promise<void> {
  await context.knownLabels.ensure(toLabelKey(context, question.label), async () => {
    if (!(await isInRepository(context, question))) await createLabel(context, question);
  });
}

function toLabelKey({ repository }: GitHubThreadContext, label: string): string {
  return `${repository}:${label}`.toLowerCase();
}

function isInvalid(error: unknown): boolean {
  return PlatformError.isInstance(error) && error.code === 'invalid';
}

async function isInRepository(
  context: GitHubThreadContext,
  { label, signal }: LabelQuestion,
): Promise<boolean> {
  const { client, place } = context;
  const call = toCall(context, { doing: `find the label ${label} for`, signal });
  try {
    const route = 'GET /repos/{owner}/{repo}/labels/{name}';
    await client.ask({ ...call, route, parameters: { ...place, name: label } }, z.unknown());
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function createLabel(context: LabelPlace, { label, signal }: LabelQuestion): Promise<void> {
  const { client, place, settings } = context;
  const call = toCall(context, { doing: `create the label ${label} (1 to 50 characters) for`, signal });
  const parameters = { ...place, name: label, ...settings.labelStyle(label) };
  try {
    await client.ask({ ...call, route: 'POST /repos/{owner}/{repo}/labels', parameters }, z.unknown());
  } catch (error) {
    // It was created after we listed the labels.
    if (!(PlatformError.isInstance(error) && /already_exists/u.test(error.message))) throw error;
  }
}

/**
 * Assigns one account at a time.
 *
 * @see https://docs.github.com/en/rest/issues/assignees
 */
export function createGitHubAssignees(context: GitHubThreadContext): AssigneeEditor {
  const { client, key, place } = context;
  const send = async (method: 'POST' | 'DELETE', { login }: Account, { signal }: CallOptions = {}) => {
    const call = {
      ...toCall(context, { doing: 'change the assignees of', signal }),
      route: `${method} /repos/{owner}/{repo}/issues/{issue_number}/assignees`,
      parameters: { ...place, issue_number: key.number, assignees: [login] },
    };
    await client.ask(call, z.unknown());
  };
  return {
    assign: (account, options) => send('POST', account, options),
    unassign: (account, options) => send('DELETE', account, options),
  };
}

function toCall(
  { repository, name }: Pick<GitHubThreadContext, 'repository' | 'name'>,
  { doing, signal }: { readonly doing: string } & CallOptions,
): Omit<GitHubCall, 'route'> {
  return { doing: `${doing} ${name}`, repository, permission: 'issues: write', signal };
}
