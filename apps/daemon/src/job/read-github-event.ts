import type { Environment } from '@agent/workspace';
import { z } from 'zod';
import type { JobActor, JobEvent, JobRepository, JobThread } from './job-event.ts';

const repositorySchema = z.object({ full_name: z.string() });

const threadSchema = z.object({
  number: z.number().int(),
  html_url: z.string(),
  pull_request: z.unknown().optional(),
});

const requestSchema = threadSchema.extend({
  head: z.object({ ref: z.string(), repo: repositorySchema.nullish() }),
});

const payloadSchema = z.object({
  action: z.string().nullish(),
  repository: z.object({
    full_name: z.string(),
    html_url: z.string(),
    clone_url: z.string().nullish(),
    private: z.boolean(),
    visibility: z.string().nullish(),
  }),
  sender: z.object({ login: z.string(), type: z.string().nullish() }),
  issue: threadSchema.nullish(),
  pull_request: requestSchema.nullish(),
  comment: z.object({ body: z.string().nullish() }).nullish(),
  review: z.object({ body: z.string().nullish() }).nullish(),
  inputs: z.object({ thread: z.string().nullish() }).nullish(),
});

type Payload = z.infer<typeof payloadSchema>;

/** Parses the payload of an event as a job of GitHub Actions finds it in `GITHUB_EVENT_PATH`. @throws ZodError for another one */
export function readGitHubEvent(payload: unknown, environment: Environment): JobEvent {
  const event = payloadSchema.parse(payload);
  const repository = toRepository(event.repository, environment);
  return {
    platform: 'github',
    name: environment.GITHUB_EVENT_NAME ?? '',
    action: event.action ?? null,
    repository,
    thread: toThread(event, repository),
    actor: toActor(event.sender),
    text: event.comment?.body ?? event.review?.body ?? null,
  };
}

function toRepository(
  {
    full_name: path,
    html_url: page,
    clone_url: clone,
    private: isPrivate,
    visibility,
  }: Payload['repository'],
  { GITHUB_SERVER_URL, GITHUB_API_URL }: Environment,
): JobRepository {
  const serverUrl = GITHUB_SERVER_URL ?? new URL(page).origin;
  return {
    path,
    serverUrl,
    apiUrl: GITHUB_API_URL ?? 'https://api.github.com',
    cloneUrl: clone ?? `${serverUrl}/${path}.git`,
    // All members of an enterprise read what is internal: it is no more private than a private repository of them.
    isPublic: visibility === 'public' || !isPrivate,
  };
}

function toThread(
  { issue, pull_request: request, inputs }: Payload,
  { path, serverUrl }: JobRepository,
): JobThread | null {
  if (request != null) {
    const { number, html_url: url, head } = request;
    const isFromFork = head.repo == null || head.repo.full_name.toLowerCase() !== path.toLowerCase();
    return { kind: 'request', number, url, branch: head.ref, isFromFork };
  }
  if (issue != null) {
    const isRequest = issue.pull_request != null;
    return {
      kind: isRequest ? 'request' : 'issue',
      number: issue.number,
      url: issue.html_url,
      branch: null,
      isFromFork: isRequest ? null : false,
    };
  }
  return inputs?.thread == null ? null : parseThread(inputs.thread, { path, serverUrl });
}

/** Reads the thread of `workflow_dispatch`: a number, or the address of an issue or pull request of this repository. */
function parseThread(
  text: string,
  { path, serverUrl }: Pick<JobRepository, 'path' | 'serverUrl'>,
): JobThread | null {
  const begin = `${serverUrl}/${path}/`;
  const given = text.trim();
  const rest = given.toLowerCase().startsWith(begin.toLowerCase()) ? given.slice(begin.length) : given;
  const [, kind = 'issues', digits] = /^(?:(issues|pull)\/|#)?(\d{1,10})\/?$/.exec(rest) ?? [];
  if (digits === undefined) return null;
  const number = Number(digits);
  const isRequest = kind === 'pull';
  const url = `${begin}${kind}/${number}`;
  return {
    kind: isRequest ? 'request' : 'issue',
    number,
    url,
    branch: null,
    isFromFork: isRequest ? null : false,
  };
}

function toActor({ login, type }: Payload['sender']): JobActor {
  return { login, isBot: type === 'Bot' || login.endsWith('[bot]') };
}
