import * as z from 'zod';
import type { Credential } from '../http/credential.ts';
import { isNotFound, PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import type { FoundRepository, RepositoryFinder, RepositoryQuery } from '../repository-finder.ts';
import { withAnswerMemory } from './github-answer-memory.ts';
import { userSchema } from './github-answers.ts';
import type { GitHubAnswer, GitHubCall, GitHubClient } from './github-client.ts';

const listedSchema = z.object({
  id: z.number(),
  full_name: z.string(),
  fork: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  disabled: z.boolean().nullish(),
});

const ofInstallationSchema = z.object({ repositories: z.array(listedSchema) });

type Listed = z.output<typeof listedSchema>;

/**
 * Lists the repositories of an owner: those of the installation of an App, those that an organization shows to a token, or those
 * of a user in which the token's account may work. What did not change since the last listing is free.
 *
 * @see https://docs.github.com/en/rest/apps/installations#list-repositories-accessible-to-the-app-installation
 * @see https://docs.github.com/en/rest/repos/repos#list-organization-repositories
 * @see https://docs.github.com/en/rest/repos/repos#list-repositories-for-the-authenticated-user
 */
export function createGitHubRepositories(
  client: GitHubClient,
  { credential }: { readonly credential: Pick<Credential, 'login' | 'renew'> },
): RepositoryFinder {
  const { ask } = withAnswerMemory(client, { memory: new Map() });
  return {
    listRepositories: async ({ owner, signal, fresh = false }) => {
      // A repository that comes to an installation is not in the tokens that were made before.
      if (fresh) await credential.renew?.({ signal });
      const isApp = (await credential.login({ signal })) !== null;
      const listed = isApp
        ? await listOfInstallation(ask, { owner, signal })
        : await listOfOwner(ask, { owner, signal });
      const prefix = `${owner.toLowerCase()}/`;
      return listed.filter(({ full_name: path }) => path.toLowerCase().startsWith(prefix)).map(toFound);
    },
  };
}

function toFound({ id, full_name: path, fork, archived, disabled }: Listed): FoundRepository {
  return {
    id: String(id),
    path,
    isFork: fork === true,
    isActive: archived !== true && disabled !== true,
  };
}

type Question = Pick<RepositoryQuery, 'owner'> & CallOptions;

/** An installation is that of one account: whose it is not, it has nothing of. */
function listOfInstallation(ask: GitHubClient['ask'], { owner, signal }: Question): Promise<Listed[]> {
  const call = { ...toCall(owner, signal), route: 'GET /installation/repositories' };
  return readPages({ ...call, parameters: { per_page: 100 } }, async (page) => {
    const answer = await ask(page, ofInstallationSchema);
    return { ...answer, data: answer.data.repositories };
  });
}

async function listOfOwner(ask: GitHubClient['ask'], { owner, signal }: Question): Promise<Listed[]> {
  const route = (await isOrganization(ask, { owner, signal })) ? 'GET /orgs/{org}/repos' : 'GET /user/repos';
  // As they were made: what is new comes last, so that no page moves on while they are read.
  const order = { sort: 'created', direction: 'asc', per_page: 100 };
  const parameters = route.includes('{org}')
    ? { org: owner, type: 'all', ...order }
    : { affiliation: 'owner,collaborator', ...order };
  return readPages({ ...toCall(owner, signal), route, parameters }, (page) =>
    ask(page, z.array(listedSchema)),
  );
}

async function isOrganization(ask: GitHubClient['ask'], { owner, signal }: Question): Promise<boolean> {
  const call = { ...toCall(owner, signal), route: 'GET /users/{username}', parameters: { username: owner } };
  try {
    return (await ask(call, userSchema)).data.type === 'Organization';
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const message = `GitHub has no account ${owner}: check the spelling, and whether the account was renamed.`;
    throw new PlatformError(message, { code: 'not-found', cause: error });
  }
}

function toCall(owner: string, signal: AbortSignal | undefined) {
  return {
    doing: `list the repositories of ${owner}`,
    repository: null,
    permission: 'metadata: read',
    signal,
  };
}

async function readPages(
  call: GitHubCall,
  ask: (call: GitHubCall) => Promise<GitHubAnswer<readonly Listed[]>>,
): Promise<Listed[]> {
  const found: Listed[] = [];
  let page: string | undefined;
  do {
    const answer = await ask({ ...call, page });
    found.push(...answer.data);
    page = answer.next ?? undefined;
  } while (page !== undefined);
  return found;
}
