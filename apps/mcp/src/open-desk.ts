import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createFileJournal, createMemoryJournal } from '@agent/comment-detection/mailbox';
import { createThreadDesk, type ThreadDesk } from '@agent/orchestrator/desk';
import { formatTaskKey, type Platform, type TaskKey } from '@agent/platforms';
import { z } from 'zod';
import { parseThreadPlace, type ThreadPlace, type ThreadWords } from './thread-place.ts';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Options of a desk, as the command line gives them. */
export interface DeskWords extends ThreadWords {
  /** Directory that keeps what was acknowledged; null for memory, which forgets it with the process. */
  readonly state: string | null;
  /** Variable that holds the token; by default `GITHUB_TOKEN` or `GITLAB_TOKEN`; none for an adapter. */
  readonly tokenVariable?: string | undefined;
  /** Logins of people and bots whose words may be followed, too; with write permission, where the platform says it of them. */
  readonly trusted: readonly string[];
  /** Further values that no answer may hold. */
  readonly secrets: readonly string[];
}

/**
 * Opens the thread that the command line names. Asks GitLab alone anything: for the number of the project.
 *
 * @throws TypeError that says what is missing
 */
export async function openDesk(words: DeskWords, environment: Environment): Promise<ThreadDesk> {
  const place = parseThreadPlace(words);
  const token = readToken(place.platform, { words, environment });
  const { platform, key } = await openPlatform(place, { token, environment });
  const journal =
    words.state === null
      ? createMemoryJournal()
      : createFileJournal(join(words.state, toFileName(platform, key)));
  return createThreadDesk(platform, {
    key,
    journal,
    trust: {
      everyone: false,
      collaborators: true,
      isNamed: ({ login }) => words.trusted.some((name) => name.toLowerCase() === login.toLowerCase()),
    },
    secrets: [...words.secrets, ...(token === null ? [] : [token])],
  });
}

const tokenVariables = { github: 'GITHUB_TOKEN', gitlab: 'GITLAB_TOKEN', adapter: null } as const;

function readToken(
  platform: ThreadPlace['platform'],
  { words, environment }: { readonly words: DeskWords; readonly environment: Environment },
): string | null {
  const name = words.tokenVariable ?? tokenVariables[platform];
  if (name === null) return null;
  const token = environment[name]?.trim();
  if (token) return token;
  throw new TypeError(`${name} is not set. Set it to a token that can read and write comments.`);
}

interface Opened {
  readonly platform: Platform;
  readonly key: TaskKey;
}

async function openPlatform(
  place: ThreadPlace,
  { token, environment }: { readonly token: string | null; readonly environment: Environment },
): Promise<Opened> {
  switch (place.platform) {
    case 'github': {
      const { createGitHubPlatform } = await import('@agent/platforms/github');
      const { baseUrl, repository, key } = place;
      return {
        key,
        platform: createGitHubPlatform({ token: token ?? '', baseUrl, repositories: [repository] }),
      };
    }
    case 'gitlab': {
      const { createGitLabPlatform } = await import('@agent/platforms/gitlab');
      const { baseUrl, project, kind, iid } = place;
      const projectId = await findProject(place, token ?? '');
      const key: TaskKey =
        kind === 'issues'
          ? { type: 'gitlab_issue', projectId, issueIid: iid }
          : { type: 'gitlab_merge_request', projectId, mrIid: iid };
      return { key, platform: createGitLabPlatform({ token: token ?? '', baseUrl, projects: [project] }) };
    }
    case 'adapter': {
      const { loadCustomPlatform } = await import('@agent/platforms/custom');
      const platform = await loadCustomPlatform(place.module, {
        name: place.key.platform,
        options: place.options,
        environment,
        directory: process.cwd(),
        logger: { debug() {}, info() {}, warn: logWarning, error: logWarning },
        signal: new AbortController().signal,
      });
      return { platform, key: place.key };
    }
  }
}

/** Standard output is for the protocol alone. */
function logWarning(_fields: object, message: string): void {
  process.stderr.write(`${message}\n`);
}

const projectSchema = z.object({ id: z.number().int() });

/** @see https://docs.gitlab.com/api/projects/#retrieve-a-project */
async function findProject(
  { baseUrl, project }: Extract<ThreadPlace, { platform: 'gitlab' }>,
  token: string,
): Promise<string> {
  const url = `${baseUrl.replace(/\/$/, '')}/api/v4/projects/${encodeURIComponent(project)}`;
  const response = await fetch(url, {
    headers: { 'private-token': token },
    redirect: 'error',
    signal: AbortSignal.timeout(15_000),
  });
  if (!response.ok)
    throw new TypeError(
      `GitLab answered ${response.status} for the project ${project}. Check the project path and the token.`,
    );
  return String(projectSchema.parse(await response.json()).id);
}

/** A name that no two threads share, however their keys are written. */
function toFileName({ name, host }: Platform, key: TaskKey): string {
  const text = `${name} ${host} ${formatTaskKey(key)}`;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const readable = formatTaskKey(key)
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 80);
  return `${readable}-${hash}.jsonl`;
}
