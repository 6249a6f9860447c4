import { isGitLabBot } from '@agent/text';
import type { Environment } from '@agent/workspace';
import { z } from 'zod';
import type { JobEvent, JobRepository, JobThread } from './job-event.ts';

const projectSchema = z.object({
  path_with_namespace: z.string(),
  web_url: z.string(),
  git_http_url: z.string(),
  visibility_level: z.number(),
});

const requestSchema = z.object({
  iid: z.number().int(),
  source_branch: z.string(),
  source_project_id: z.number().nullish(),
  target_project_id: z.number(),
});

const payloadSchema = z.object({
  object_kind: z.string(),
  project: projectSchema,
  user: z.object({ username: z.string() }),
  object_attributes: z.looseObject({
    action: z.string().nullish(),
    iid: z.number().int().nullish(),
    note: z.string().nullish(),
    system: z.boolean().nullish(),
  }),
  issue: z.object({ iid: z.number().int() }).nullish(),
  merge_request: requestSchema.nullish(),
});

type Payload = z.infer<typeof payloadSchema>;

/** Parses the payload of a project's webhook, as a pipeline finds it in the file `TRIGGER_PAYLOAD`. @throws ZodError for another one */
export function readGitLabEvent(payload: unknown, environment: Environment): JobEvent {
  const event = payloadSchema.parse(payload);
  const { username: login } = event.user;
  const { note = null, action = null, system } = event.object_attributes;
  const repository = toRepository(event.project, environment);
  return {
    platform: 'gitlab',
    name: system === true ? 'system note' : event.object_kind,
    action,
    repository,
    thread: toThread(event, event.project.web_url),
    actor: { login, isBot: isGitLabBot({ username: login }) },
    text: note,
  };
}

/** Numbers of GitLab: 0 is private, 10 internal, 20 public. */
const internal = 10;

function toRepository(
  {
    path_with_namespace: path,
    web_url: page,
    git_http_url: cloneUrl,
    visibility_level: level,
  }: Payload['project'],
  { CI_SERVER_URL }: Environment,
): JobRepository {
  const serverUrl = CI_SERVER_URL ?? new URL(page).origin;
  // Everyone with an account of the server reads an internal project.
  return { path, serverUrl, apiUrl: serverUrl, cloneUrl, isPublic: level >= internal };
}

function toThread(
  { object_kind: kind, object_attributes: about, issue, merge_request: request }: Payload,
  page: string,
): JobThread | null {
  if (kind === 'merge_request') {
    const parsed = requestSchema.safeParse(about);
    return parsed.success ? toRequest(parsed.data, page) : null;
  }
  if (request != null) return toRequest(request, page);
  const number = kind === 'issue' ? about.iid : issue?.iid;
  if (number == null) return null;
  return { kind: 'issue', number, url: `${page}/-/issues/${number}`, branch: null, isFromFork: false };
}

function toRequest(
  {
    iid: number,
    source_branch: branch,
    source_project_id: source,
    target_project_id: target,
  }: z.infer<typeof requestSchema>,
  page: string,
): JobThread {
  const url = `${page}/-/merge_requests/${number}`;
  return { kind: 'request', number, url, branch, isFromFork: source !== target };
}

const pipelineSchema = z.object({
  CI_PROJECT_PATH: z.string(),
  CI_PROJECT_URL: z.string(),
  CI_PROJECT_VISIBILITY: z.string(),
  CI_SERVER_URL: z.string(),
});

/**
 * Reads the thread of a pipeline that no webhook started: the address of an issue or merge request of this project. A job that continues a run is
 * such a pipeline.
 * @throws ZodError without the variables of a pipeline
 */
export function parseGitLabThread(text: string, environment: Environment): JobEvent {
  const variables = pipelineSchema.parse(environment);
  const { CI_PROJECT_PATH: path, CI_PROJECT_URL: page, CI_SERVER_URL: serverUrl } = variables;
  const begin = `${page}/-/`;
  const rest = text.startsWith(begin) ? text.slice(begin.length) : '';
  const [, kind, digits] = /^(issues|merge_requests)\/(\d{1,10})\b/.exec(rest) ?? [];
  const isRequest = kind === 'merge_requests';
  const thread: JobThread = {
    kind: isRequest ? 'request' : 'issue',
    number: Number(digits),
    url: `${begin}${kind}/${digits}`,
    branch: null,
    isFromFork: isRequest ? null : false,
  };
  const isPublic = variables.CI_PROJECT_VISIBILITY !== 'private';
  return {
    platform: 'gitlab',
    name: 'manual',
    action: null,
    repository: { path, serverUrl, apiUrl: serverUrl, cloneUrl: `${page}.git`, isPublic },
    thread: digits === undefined ? null : thread,
    actor: { login: environment.GITLAB_USER_LOGIN ?? '', isBot: false },
    text: null,
  };
}
