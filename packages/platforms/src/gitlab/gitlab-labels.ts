import * as z from 'zod';
import type { RepositoryLabels } from '../platform.ts';
import { PlatformError } from '../platform-error.ts';
import type { AssigneeEditor, CallOptions, LabelEditor } from '../ports.ts';
import { labelSchema } from './gitlab-answers.ts';
import type { GitLabCall } from './gitlab-client.ts';
import { type GitLabThreadContext, toThreadRoute } from './gitlab-context.ts';
import type { GitLabProjects } from './gitlab-projects.ts';

/**
 * Adds and removes one label at a time, so that what people do meanwhile stays.
 *
 * @see https://docs.gitlab.com/api/issues/#edit-an-issue (`add_labels`, `remove_labels`)
 */
export function createGitLabLabels(context: GitLabThreadContext): LabelEditor {
  return {
    addLabel: async (label, { signal } = {}) => {
      await ensureProjectLabel(context, { label: requireOneName(label), signal });
      await editThread(context, { doing: `add the label ${label} to`, change: { addLabels: label }, signal });
    },
    removeLabel: async (label, { signal } = {}) => {
      const change = { removeLabels: requireOneName(label) };
      await editThread(context, { doing: `remove the label ${label} from`, change, signal });
    },
  };
}

/** GitLab takes several names at once, separated by commas. */
function requireOneName(label: string): string {
  if (label.trim() !== '' && !label.includes(',')) return label;
  throw new PlatformError(
    `${JSON.stringify(label)} cannot be the name of a label: GitLab label names need a letter and allow no comma.`,
    { code: 'invalid' },
  );
}

type ThreadChange =
  | { readonly addLabels: string }
  | { readonly removeLabels: string }
  | { readonly assigneeIds: number[] };

async function editThread(
  context: GitLabThreadContext,
  { doing, change, signal }: { readonly doing: string; readonly change: ThreadChange } & CallOptions,
): Promise<void> {
  const { client, key, projectId, iid } = context;
  const call: GitLabCall = {
    ...toCall(context, { doing, signal }),
    route: `PUT ${toThreadRoute(context)}`,
    send: (bound) =>
      key.type === 'gitlab_issue'
        ? new bound.gitbeaker.Issues(bound).edit(projectId, iid, change)
        : new bound.gitbeaker.MergeRequests(bound).edit(projectId, iid, change),
  };
  await client.ask(call, z.unknown());
}

/** Labels of projects, those of their groups included. */
export function createGitLabRepositoryLabels(
  context: Pick<LabelPlace, 'client' | 'settings'>,
  { projects }: { readonly projects: Pick<GitLabProjects, 'resolve'> },
): RepositoryLabels {
  const toPlace = async (path: string, options: CallOptions): Promise<LabelPlace> => {
    const projectId = await projects.resolve(path, options);
    return { ...context, projectId, project: path, name: path };
  };
  return {
    listMissing: async (path, labels, { signal } = {}) => {
      const names = await listProjectLabels(await toPlace(path, { signal }), { signal });
      return labels.filter((label) => !names.includes(label));
    },
    create: async (path, label, { signal } = {}) =>
      createLabel(await toPlace(path, { signal }), { label: requireOneName(label), signal }),
  };
}

interface LabelQuestion extends CallOptions {
  readonly label: string;
}

/** Project whose labels are meant; `name` is its name, or that of a thread, for messages. */
type LabelPlace = Pick<GitLabThreadContext, 'client' | 'settings' | 'projectId' | 'project' | 'name'>;

/** GitLab would create a missing label by itself, without our color and description. */
async function ensureProjectLabel(context: GitLabThreadContext, question: LabelQuestion): Promise<void> {
  await context.knownLabels.ensure(`${context.projectId}:${question.label}`, async () => {
    if (!(await isInProject(context, question))) await createLabel(context, question);
  });
}

async function isInProject(context: GitLabThreadContext, { label, signal }: LabelQuestion): Promise<boolean> {
  return (await listProjectLabels(context, { search: label, signal })).includes(label);
}

/** @see https://docs.gitlab.com/api/labels/#list-labels */
async function listProjectLabels(
  context: LabelPlace,
  { search, signal }: { readonly search?: string } & CallOptions,
): Promise<readonly string[]> {
  const { client, projectId } = context;
  const doing = search === undefined ? 'list the labels of' : `find the label ${search} for`;
  const filter = search === undefined ? {} : { search };
  const labels = await client.askAll(
    {
      ...toCall(context, { doing, signal }),
      route: 'GET /projects/{id}/labels',
      send: (bound, page) => new bound.gitbeaker.ProjectLabels(bound).all(projectId, { ...filter, ...page }),
    },
    labelSchema,
  );
  return labels.map(({ name }) => name);
}

async function createLabel(context: LabelPlace, { label, signal }: LabelQuestion): Promise<void> {
  const { client, projectId, settings } = context;
  const { color, description } = settings.labelStyle(label);
  const call: GitLabCall = {
    ...toCall(context, { doing: `create the label ${label} (1 to 255 characters) for`, signal }),
    route: 'POST /projects/{id}/labels',
    send: (bound) =>
      new bound.gitbeaker.ProjectLabels(bound).create(projectId, label, `#${color}`, { description }),
  };
  try {
    await client.ask(call, z.unknown());
  } catch (error) {
    // It was created after we listed the labels.
    if (!(PlatformError.isInstance(error) && error.code === 'conflict')) throw error;
  }
}

const assignedSchema = z.object({ assignees: z.array(z.object({ id: z.number() })).nullish() });

/**
 * Assigns one account; the whole list goes to GitLab, as it stands then. The free tier has room for one.
 *
 * @see https://docs.gitlab.com/api/issues/#edit-an-issue
 */
export function createGitLabAssignees(context: GitLabThreadContext): AssigneeEditor {
  const change = async (
    next: (ids: readonly number[]) => readonly number[],
    { signal }: CallOptions = {},
  ): Promise<void> => {
    const wanted = next(await listAssignees(context, { signal }));
    // GitLab reads 0 as nobody.
    const assigneeIds = wanted.length === 0 ? [0] : [...wanted];
    await editThread(context, { doing: 'change the assignees of', change: { assigneeIds }, signal });
  };
  return {
    assign: ({ id }, options) => change((ids) => [...new Set([...ids, Number(id)])], options),
    unassign: ({ id }, options) => change((ids) => ids.filter((one) => one !== Number(id)), options),
  };
}

async function listAssignees(
  context: GitLabThreadContext,
  { signal }: CallOptions,
): Promise<readonly number[]> {
  const { client, key, projectId, iid } = context;
  const call: GitLabCall = {
    ...toCall(context, { doing: 'read the assignees of', signal }),
    route: `GET ${toThreadRoute(context)}`,
    send: (bound) =>
      key.type === 'gitlab_issue'
        ? new bound.gitbeaker.Issues(bound).show(iid, { projectId })
        : new bound.gitbeaker.MergeRequests(bound).show(projectId, iid),
  };
  const { assignees } = await client.ask(call, assignedSchema);
  return (assignees ?? []).map(({ id }) => id);
}

function toCall(
  { project, name }: Pick<GitLabThreadContext, 'project' | 'name'>,
  { doing, signal }: { readonly doing: string } & CallOptions,
): Omit<GitLabCall, 'route' | 'send'> {
  return { doing: `${doing} ${name}`, repository: project, signal };
}
