import { listRefs } from '../../shared/git/refs.ts';
import { listTree } from '../../shared/git/trees.ts';
import { pagedSearch } from '../http/pagination.ts';
import { viewerOf } from '../http/requirements.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import { repositoryApi, repositoryPage } from '../http/urls.ts';
import { findFilesWithWords, findThreads, searchedRepositories } from '../search/find.ts';
import { parseSearch, type Search } from '../search/parse-search.ts';
import type { Repository } from '../state/model.ts';
import { unprocessable, validationFailed } from '../state/refusal.ts';
import type { Vendor } from '../vendor.ts';
import { showFoundIssue } from '../views/issue-view.ts';
import { showRepository } from '../views/repository-view.ts';

/** Searches, which have rate limits of their own. */
export const searchRoutes: readonly Route[] = [
  route('GET /search/issues', 'search/search#search-issues-and-pull-requests', searchIssues),
  route('GET /search/code', 'search/search#search-code', searchCode),
];

/** A fine-grained token, as the simulator's are, must say whether it looks for issues or for pull requests. */
function searchIssues(call: Call): Answer {
  const search = readSearch(call);
  if (call.token && !search.kind) {
    throw unprocessable("Query must include 'is:issue' or 'is:pull-request'");
  }
  const repositories = searchedRepositories(call, search, 'issues');
  const threads = findThreads(repositories, search, {
    sort: call.query.get('sort'),
    ascending: call.query.get('order') === 'asc',
  });
  return pagedSearch(call, threads, (thread) => showFoundIssue(thread, call.urls));
}

/** Only the default branch is searched, and never by somebody unknown. */
async function searchCode(call: Call): Promise<Answer> {
  viewerOf(call);
  const search = readSearch(call);
  if (search.words.length === 0) throw missingQuery();
  const repositories = searchedRepositories(call, search, 'contents');
  const found = await Promise.all(
    repositories.map((repository) => findInRepository(call, repository, search)),
  );
  return pagedSearch(call, found.flat(), (item) => item);
}

async function findInRepository(
  call: Call,
  repository: Repository,
  search: Search,
): Promise<Vendor['code-search-result-item'][]> {
  const { git, urls } = call;
  const directory = repository.gitDirectory;
  const name = `refs/heads/${repository.defaultBranch}`;
  const tip = (await listRefs(git, directory, name)).find((ref) => ref.name === name);
  if (!tip) return [];
  const paths = await findFilesWithWords(git, directory, { commit: tip.sha, search });
  const entries = await listTree(git, directory, { tree: tip.sha, recursive: true });
  const shas = new Map(entries?.map((entry) => [entry.path, entry.sha]));
  return paths.map((path) => {
    const sha = shas.get(path) ?? '';
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    return {
      name: path.split('/').at(-1) ?? path,
      path,
      sha,
      url: `${repositoryApi(urls, repository)}/contents/${encoded}?ref=${tip.sha}`,
      git_url: `${repositoryApi(urls, repository)}/git/blobs/${sha}`,
      html_url: `${repositoryPage(urls, repository)}/blob/${tip.sha}/${encoded}`,
      repository: showRepository(repository, call) as Vendor['minimal-repository'],
      score: 1,
    };
  });
}

function readSearch(call: Call): Search {
  const query = call.query.get('q') ?? '';
  if (query.trim() === '') throw missingQuery();
  return parseSearch(query);
}

function missingQuery() {
  return validationFailed({ resource: 'Search', field: 'q', code: 'missing' });
}
